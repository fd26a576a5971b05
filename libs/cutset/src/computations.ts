import { mixtureOf } from '@orchard/mixture';
import { openModel, untold, type DensityModel, type JsonValue } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import { BitMatrix } from '@orchard/dataset';
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

/** Learns one component: a function of run and number alone. */
export function componentOf(run: Run, train: BitMatrix, component: number): Cutset {
  const { bagged, seed, ...options } = cutsetSpecification(run);
  const draws = new RandomStream(seed, Purpose.bootstrap, component);
  const rows = Uint32Array.from({ length: train.rows }, (_, row) => (bagged ? draws.below(train.rows) : row));
  const root = learnCutset(train, rows, options, new RandomStream(seed, Purpose.condition, component));
  const { dimensions, names, shape } = train;
  // the mixture's file says how they were made
  const specification = { runId: run.id, component };
  return new Cutset({ dimensions, names, shape, specification, likelihoods: untold }, new CutsetTree(root));
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
  /** Loads the training rows for all threads. @returns the buffer that {@link BitMatrix.from} takes */
  load: async ({ train }: { train: string }, { store }: ComputationContext): Promise<SharedArrayBuffer> => {
    const matrix = await loadDataset(store, train);
    const buffer = new SharedArrayBuffer(matrix.buffer.byteLength);
    new Uint8Array(buffer).set(new Uint8Array(matrix.buffer));
    return buffer;
  },

  component: ({ run, component }: { run: Run; component: number }, { data }: ComputationContext): Uint8Array => {
    const train = data((handle) => BitMatrix.from(handle as SharedArrayBuffer));
    return componentOf(run, train, component).toBytes();
  },

  mix: async ({ run, withReport }: { run: Run; withReport: boolean }, { store }: ComputationContext) => {
    const splits = await loadSplits(store, run);
    await storeModel(store, run, await mix(store, run, splits), { splits, withReport, sectionsOf });
  },
} satisfies Computations['functions'];
