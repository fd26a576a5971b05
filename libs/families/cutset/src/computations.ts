import { mixtureOf } from '@orchard/members';
import { openModel, untold, type DensityModel, type JsonValue } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import { BitMatrix, shareRows, type SharedRows } from '@orchard/dataset';
import { PairCounter } from '@orchard/forests';
import {
  judgedModel,
  loadDataset,
  loadSplits,
  storeModel,
  type ComputationContext,
  type Computations,
  type Run,
  type Splits,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { componentName } from './artefacts.js';
import { sectionsOf } from './conditions-section.js';
import { Cutset, cutsetCodec } from './cutset-model.js';
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
export function componentOf(run: Run, train: RowsToLearn, component: number): Cutset {
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
export async function mix(store: ObjectStore, run: Run, splits: Splits): Promise<DensityModel> {
  const { components, weights } = cutsetSpecification(run);
  const specification = { runId: run.id, ...run.specification } as JsonValue;
  const members: Cutset[] = [];
  for (let component = 0; component < components; component++)
    members.push(openModel(await store.get(componentName(run.id, component)), [cutsetCodec]) as Cutset);
  const [first] = members as [Cutset];
  if (components === 1) {
    const { dimensions, names, shape } = first;
    const head = { dimensions, names, shape, specification };
    return judgedModel((likelihoods) => new Cutset({ ...head, likelihoods }, first.tree), splits);
  }
  const shares =
    weights === 'uniform'
      ? new Float64Array(components).fill(1 / components)
      : weightsByEm(members.map((member) => member.logLikelihood(splits.valid)));
  return judgedModel((likelihoods) => mixtureOf({ members, weights: shares, specification, likelihoods }), splits);
}

/** What threads run for cutset networks. */
export const computations = {
  /** Loads the training rows for all threads, equal ones counted. @returns what {@link rowsToLearn} takes */
  load: async ({ train }: { train: string }, { store }: ComputationContext): Promise<SharedRows> =>
    shareRows(await loadDataset(store, train)),

  component: ({ run, component }: { run: Run; component: number }, { data }: ComputationContext): Uint8Array => {
    const train = data((handle) => rowsToLearn(handle as SharedRows));
    return componentOf(run, train, component).toBytes();
  },

  mix: async ({ run, withReport }: { run: Run; withReport: boolean }, { store }: ComputationContext) => {
    const splits = await loadSplits(store, run);
    await storeModel(store, run, await mix(store, run, splits), { splits, withReport, sectionsOf });
  },
} satisfies Computations['functions'];
