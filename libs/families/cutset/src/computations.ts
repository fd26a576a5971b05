import { mixtureOf } from '@orchard/members';
import { untold, type DensityModel } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import {
  attachSplits,
  BitMatrix,
  shareRows,
  type CountedSplits,
  type SharedRows,
  type SharedSplits,
} from '@orchard/dataset';
import type { Boosting } from '@orchard/density-boosting';
import { PairCounter } from '@orchard/forests';
import {
  computationOfEnding,
  headOf,
  judgedModel,
  loadCounted,
  loadDataset,
  type ComputationContext,
  type Computations,
  type End,
  type Run,
} from '@orchard/pipeline';
import { boostCutsets } from './boost-cutsets.js';
import { components, keptComponents, roundOf } from './components.js';
import { sectionsOf } from './conditions-section.js';
import { Cutset } from './cutset-model.js';
import { cutsetSpecification } from './cutset-run.js';
import { CutsetTree } from './cutset-tree.js';
import { learnCutset } from './learn-cutset.js';
import { weightsByEm } from './mixture-weights.js';

/** The training rows, and what a thread counts pairs of columns with. */
export interface RowsToLearn {
  readonly distinct: BitMatrix;
  /** How often each of them is there. */
  readonly times: Uint32Array;
  /** Of every row the distinct one that it is. */
  readonly places: Uint32Array;
  readonly counter: PairCounter;
}

function rowsToLearn({ distinct, counts, places }: SharedRows): RowsToLearn {
  const times = Uint32Array.from(new Float64Array(counts));
  return { distinct: BitMatrix.from(distinct), times, places: new Uint32Array(places), counter: new PairCounter() };
}

/** Learns one component: a function of run and number alone. */
function componentOf(run: Run, train: RowsToLearn, component: number): Cutset {
  const { bagged, seed, ...options } = cutsetSpecification(run);
  const { distinct, counter } = train;
  const times = bagged ? drawn(train, new RandomStream(seed, Purpose.bootstrap, component)) : train.times;
  const root = learnCutset(distinct, times, options, new RandomStream(seed, Purpose.condition, component), counter);
  const { dimensions, names, shape } = distinct;
  // the mixture's file says how they were made
  const specification = { runId: run.id, component };
  return new Cutset({ dimensions, names, shape, specification, likelihoods: untold }, new CutsetTree(root));
}

/** The rows of a thread, and how far it is with the boosted run that it was last asked for. */
class Desk {
  #boosting: Boosting<Cutset> | null = null;
  #run: string | null = null;

  constructor(private readonly rows: CountedSplits) {}

  /** The run as it is after so many rounds, or fewer; from the beginning where this thread is elsewhere. */
  before(made: number, run: Run): Boosting<Cutset> {
    if (this.#boosting === null || this.#run !== run.id || this.#boosting.rounds.length > made) {
      this.#boosting = boostCutsets(this.rows, cutsetSpecification(run));
      this.#run = run.id;
    }
    return this.#boosting;
  }
}

/** A boosted network, after all before it. @returns null where the task was cancelled */
async function roundAt(
  run: Run,
  step: number,
  { store, data, isCancelled }: ComputationContext,
): Promise<Cutset | null> {
  const boosting = data((handle) => new Desk(attachSplits(handle as SharedSplits))).before(step, run);
  while (boosting.rounds.length < step) {
    if (isCancelled()) return null;
    boosting.follow(roundOf(await components.read(store, run, { chain: 0, step: boosting.rounds.length })));
  }
  if (isCancelled()) return null;
  const { facts, model } = boosting.next();
  const { ratio, ...known } = facts;
  const specification = {
    runId: run.id,
    component: step,
    boosted: { ...known, ...(ratio === undefined ? {} : { ratio }) },
  };
  const { dimensions, names, shape } = model;
  return new Cutset({ dimensions, names, shape, specification, likelihoods: untold }, model.tree);
}

/** How often each distinct row is drawn when as many are drawn as there are. */
function drawn({ distinct, places }: RowsToLearn, draws: RandomStream): Uint32Array {
  const times = new Uint32Array(distinct.rows);
  for (let row = 0; row < places.length; row++) times[places[draws.below(places.length)]!]!++;
  return times;
}

/**
 * Mixes the components; one alone is the model. Validation rows are asked by `em`, and choose how many boosted ones are
 * kept.
 */
export const end: End = async (run, splits, store) => {
  const { weights, boosted = false } = cutsetSpecification(run);
  const all: Parameters<typeof keptComponents>[0][number][] = [];
  for await (const component of components.all(store, run)) all.push(component);
  const kept = boosted ? keptComponents(all) : null;
  const members = kept?.members ?? all.map(({ model }) => model);
  const figures = kept === null ? {} : { rounds: { kept: members.length, made: all.length } };
  const [first] = members as [Cutset];
  const head = headOf(run, first, figures);
  let model: DensityModel;
  if (members.length === 1)
    model = judgedModel((likelihoods) => new Cutset({ ...head, likelihoods }, first.tree), splits);
  else {
    const shares =
      kept?.weights ??
      (weights === 'uniform'
        ? new Float64Array(members.length).fill(1 / members.length)
        : weightsByEm(members.map((member) => member.logLikelihood(splits.valid))));
    const { specification } = head;
    model = judgedModel((likelihoods) => mixtureOf({ members, weights: shares, specification, likelihoods }), splits);
  }
  return { model, figures, sections: () => sectionsOf(model) };
};

/** What threads run for cutset networks. */
export const computations = {
  /** Loads the training rows for all threads, equal ones counted. @returns what {@link rowsToLearn} takes */
  load: async ({ train }: { train: string }, { store }: ComputationContext): Promise<SharedRows> =>
    shareRows(await loadDataset(store, train)),

  /** Loads the rows that boosted networks are fitted to, and those that end it, each once. */
  loadBoth: loadCounted,

  component: async (
    { run, key }: { run: Run; key: string },
    context: ComputationContext,
  ): Promise<Uint8Array | null> => {
    const { chain, step } = components.placeIn(key);
    if (cutsetSpecification(run).boosted) return (await roundAt(run, step, context))?.toBytes() ?? null;
    const train = context.data((handle) => rowsToLearn(handle as SharedRows));
    return componentOf(run, train, chain).toBytes();
  },

  mix: computationOfEnding(end),
} satisfies Computations['functions'];
