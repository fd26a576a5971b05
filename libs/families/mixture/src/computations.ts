import {
  attachRows,
  attachSplits,
  shareRows,
  type BitMatrix,
  type CountedSplits,
  type SharedSplits,
} from '@orchard/dataset';
import { bisectRows, learnProducts, learnTrees, type ClusterTree, type Learned } from '@orchard/em';
import { Purpose, RandomStream } from '@orchard/numerics';
import {
  loadCounted,
  loadSplits,
  storeModel,
  type ComputationContext,
  type Computations,
  type Run,
} from '@orchard/pipeline';
import { chooseCandidate, type Chosen, type Tried } from './choose-candidate.js';
import { ForestMixtureModel, mixtureOfProducts } from './forest-mixture-model.js';
import { ForestMixture } from './forest-mixture.js';
import { candidatesOf, mixtureSpecification, type Candidate, type MixtureSpecification } from './mixture-run.js';
import { sectionsOf } from './templates-section.js';

/** One run of EM, a function of run and number alone: the mixture that it ends in. @returns null where it was cancelled */
function candidateOf(
  run: Run,
  { train, valid }: CountedSplits,
  candidate: number,
  isCancelled?: () => boolean,
): ForestMixtureModel | null {
  const specification = mixtureSpecification(run);
  const options = candidatesOf(specification)[candidate]!;
  const stream = streamOf(specification, options);
  const learn = specification.of === 'trees' ? treesOf : productsOf;
  const learned = learn(specification, options, { train, valid }, stream, isCancelled);
  if (learned === null) return null;
  const { mixture, validNats, step } = learned;
  const tried: Tried = { ...options, step, valid: validNats / valid.rows };
  const { dimensions, names, shape } = train.distinct;
  const likelihoods = { train: null, valid: tried.valid, test: null };
  const head = { dimensions, names, shape, specification: { ...tried }, likelihoods };
  return new ForestMixtureModel(head, mixture);
}

/** The same restart of more components, or of another strength, begins with the same rows. */
function streamOf({ seed }: MixtureSpecification, { restart }: Candidate): RandomStream {
  return new RandomStream(seed, Purpose.restart, restart);
}

type Learn = (
  specification: MixtureSpecification,
  candidate: Candidate,
  rows: CountedSplits,
  stream: RandomStream,
  isCancelled?: () => boolean,
) => Learned<ForestMixture> | null;

const productsOf: Learn = ({ hierarchy, steps }, { components, strength }, { train, valid }, stream, isCancelled) => {
  const pulled = hierarchy === 'none' ? { pseudoCount: strength } : { norm: hierarchy, strength };
  const learned = learnProducts(train, valid, { components, pulled, steps }, stream, isCancelled);
  if (learned === null) return null;
  const { products, ...rest } = learned;
  return { ...rest, mixture: mixtureOfProducts(products.weights, products.dimensions, products.rates) };
};

/** The first run begins with products, further ones anywhere: those that begin with products end in the same trees, or nearly (README). */
const treesOf: Learn = ({ steps }, { components, strength, restart }, { train, valid }, stream, isCancelled) => {
  const options = { components, pseudoCount: strength, steps, isFromProducts: restart === 0 };
  const learned = learnTrees(train, valid, options, stream, isCancelled);
  if (learned === null) return null;
  const { mixture, ...rest } = learned;
  return { ...rest, mixture: new ForestMixture(mixture.weights, mixture.forests) };
};

/**
 * The tree along which the products of a candidate were pulled to one another: EM divides the rows before it draws anything else, and no step divides them
 * again, so the tree is not stored.
 */
export function clusterTreeOf(run: Run, candidate: Candidate, train: BitMatrix): ClusterTree {
  const stream = streamOf(mixtureSpecification(run), candidate);
  return bisectRows(attachRows(shareRows(train)), candidate.components, stream);
}

/** What only this family has to show of a run. */
export function reportSections(run: Run, made: Chosen, train: BitMatrix): Promise<readonly string[]> {
  const { hierarchy } = mixtureSpecification(run);
  const tree = hierarchy === 'none' ? null : clusterTreeOf(run, made.tried[made.chosen]!, train);
  return sectionsOf(made, train, hierarchy, tree);
}

/** What threads run for mixtures. */
export const computations = {
  /** Loads the rows that candidates learn from, and those that choose, each once. */
  load: loadCounted,

  /** @returns the model file; null where the task was cancelled */
  em: (
    { run, candidate }: { run: Run; candidate: number },
    { data, isCancelled }: ComputationContext,
  ): Uint8Array | null => {
    const splits = data((handle) => attachSplits(handle as SharedSplits));
    return candidateOf(run, splits, candidate, isCancelled)?.toBytes() ?? null;
  },

  choose: async ({ run, withReport }: { run: Run; withReport: boolean }, { store }: ComputationContext) => {
    const splits = await loadSplits(store, run);
    const made = await chooseCandidate(store, run, splits);
    const sections = () => reportSections(run, made, splits.train);
    await storeModel(store, run, made.model, { splits, withReport, sectionsOf: sections });
  },
} satisfies Computations['functions'];
