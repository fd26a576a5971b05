import { mixtureOf } from '@orchard/members';
import { untold, type DensityModel } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import { BitMatrix, shareRows, type SharedRows } from '@orchard/dataset';
import { PairCounter } from '@orchard/forests';
import {
  computationOfEnding,
  headOf,
  judgedModel,
  loadDataset,
  type ComputationContext,
  type Computations,
  type End,
  type Run,
} from '@orchard/pipeline';
import { components } from './components.js';
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

/** How often each distinct row is drawn when as many are drawn as there are. */
function drawn({ distinct, places }: RowsToLearn, draws: RandomStream): Uint32Array {
  const times = new Uint32Array(distinct.rows);
  for (let row = 0; row < places.length; row++) times[places[draws.below(places.length)]!]!++;
  return times;
}

/** Mixes the components; one alone is the model. Validation rows are asked by `em` alone. */
export const end: End = async (run, splits, store) => {
  const { weights } = cutsetSpecification(run);
  const members: Cutset[] = [];
  for await (const component of components.all(store, run)) members.push(component.model);
  const [first] = members as [Cutset];
  const head = headOf(run, first);
  let model: DensityModel;
  if (members.length === 1)
    model = judgedModel((likelihoods) => new Cutset({ ...head, likelihoods }, first.tree), splits);
  else {
    const shares =
      weights === 'uniform'
        ? new Float64Array(members.length).fill(1 / members.length)
        : weightsByEm(members.map((member) => member.logLikelihood(splits.valid)));
    const { specification } = head;
    model = judgedModel((likelihoods) => mixtureOf({ members, weights: shares, specification, likelihoods }), splits);
  }
  return { model, sections: () => sectionsOf(model) };
};

/** What threads run for cutset networks. */
export const computations = {
  /** Loads the training rows for all threads, equal ones counted. @returns what {@link rowsToLearn} takes */
  load: async ({ train }: { train: string }, { store }: ComputationContext): Promise<SharedRows> =>
    shareRows(await loadDataset(store, train)),

  component: ({ run, key }: { run: Run; key: string }, { data }: ComputationContext): Uint8Array => {
    const train = data((handle) => rowsToLearn(handle as SharedRows));
    return componentOf(run, train, components.placeIn(key).chain).toBytes();
  },

  mix: computationOfEnding(end),
} satisfies Computations['functions'];
