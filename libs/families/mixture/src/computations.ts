import { attachRows, shareRows, type BitMatrix, type CountedSplits } from '@orchard/dataset';
import { bisectRows, learnProducts, learnTrees, type ClusterTree, type Learned } from '@orchard/em';
import { Purpose, RandomStream } from '@orchard/numerics';
import {
  computationOfEnding,
  computationOfStep,
  headOf,
  headOfStep,
  judgedModel,
  likeliestStep,
  loadCounted,
  type Computations,
  type End,
  type Place,
  type Run,
} from '@orchard/pipeline';
import { candidates } from './candidates.js';
import { ForestMixtureModel, mixtureOfProducts } from './forest-mixture-model.js';
import { ForestMixture } from './forest-mixture.js';
import { candidatesOf, mixtureSpecification, type Candidate, type MixtureSpecification } from './mixture-run.js';
import { sectionsOf } from './templates-section.js';

/**
 * One run of EM, a function of run and number alone: the mixture that it ends in.
 *
 * @returns null where it was cancelled
 */
function candidateOf(
  run: Run,
  { train, valid }: CountedSplits,
  { chain }: Place,
  _: null | object,
  isCancelled: () => boolean,
): ForestMixtureModel | null {
  const specification = mixtureSpecification(run);
  const options = candidatesOf(specification)[chain]!;
  const stream = streamOf(specification, options);
  const learn = specification.of === 'trees' ? treesOf : productsOf;
  const learned = learn(specification, options, { train, valid }, stream, isCancelled);
  if (learned === null) return null;
  const { mixture, validNats, step } = learned;
  const tried = { ...options, step, valid: validNats / valid.rows };
  return new ForestMixtureModel(headOfStep(train.distinct, tried), mixture);
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

/**
 * The first run begins with products, further ones anywhere: those that begin with products end in the same trees, or
 * nearly (README).
 */
const treesOf: Learn = ({ steps }, { components, strength, restart }, { train, valid }, stream, isCancelled) => {
  const options = { components, pseudoCount: strength, steps, isFromProducts: restart === 0 };
  const learned = learnTrees(train, valid, options, stream, isCancelled);
  if (learned === null) return null;
  const { mixture, ...rest } = learned;
  return { ...rest, mixture: new ForestMixture(mixture.weights, mixture.forests) };
};

/**
 * The tree along which the products of a candidate were pulled to one another: EM divides the rows before it draws
 * anything else, and no step divides them again, so the tree is not stored.
 */
export function clusterTreeOf(run: Run, candidate: Candidate, train: BitMatrix): ClusterTree {
  const stream = streamOf(mixtureSpecification(run), candidate);
  return bisectRows(attachRows(shareRows(train)), candidate.components, stream);
}

/** The candidate by which the validation rows are likeliest. */
export const end: End = async (run, splits, store) => {
  const { all, best } = await likeliestStep(candidates, store, run);
  const { mixture } = best.model;
  const head = headOf(run, splits.train, { chosen: best.facts });
  const model = judgedModel((likelihoods) => new ForestMixtureModel({ ...head, likelihoods }, mixture), splits);
  const { hierarchy } = mixtureSpecification(run);
  const sections = () => {
    const tree = hierarchy === 'none' ? null : clusterTreeOf(run, best.facts, splits.train);
    const made = { model, tried: all, chosen: all.indexOf(best.facts) };
    return sectionsOf(made, splits.train, hierarchy, tree);
  };
  return { model, sections };
};

/** What threads run for mixtures. */
export const computations = {
  /** Loads the rows that candidates learn from, and those that choose, each once. */
  load: loadCounted,
  em: computationOfStep(candidates, candidateOf),
  choose: computationOfEnding(end),
} satisfies Computations['functions'];
