import { attachSorted, designOf, fitPath, lossOf, sortRows, type SharedSorted } from '@orchard/logistic';
import type { JsonValue } from '@orchard/model';
import {
  concurrently,
  likelihoodsOf,
  loadDataset,
  loadSplits,
  storeModelFiles,
  type ComputationContext,
  type Computations,
  type Run,
  type Splits,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { pathDocument, readPath, stepOf, type PathDocument } from './path-document.js';
import { Sparn } from './sparn-model.js';
import { sparnSpecification } from './sparn-run.js';
import type { SparseWeights } from './sparse-weights.js';
import { sectionsOf } from './weights-section.js';

const readsAtOnce = 8;

/** A λ, and how good it is. */
export interface TriedPenalty {
  readonly penalty: number;
  /** Not 0, of all columns. */
  readonly weights: number;
  /** Mean nats of the validation rows. */
  readonly valid: number;
}

export interface Chosen {
  readonly model: Sparn;
  readonly tried: readonly TriedPenalty[];
}

interface SharedSplits {
  readonly train: SharedSorted;
  readonly valid: SharedSorted;
}

/** The λ by which the validation rows are likeliest over all columns, of equal ones the largest; and the model of it. */
export async function choose(store: ObjectStore, run: Run, splits: Splits): Promise<Chosen> {
  const { penalty } = sparnSpecification(run);
  const { dimensions, names, shape } = splits.train;
  const columns = Array.from({ length: dimensions }, (_, column) => column);
  const ofAll = await concurrently(columns, readsAtOnce, async (column) => {
    const { valid, counts } = await readPath(store, run.id, column);
    return { valid, counts };
  });
  const tried = penalty.map((own, step) => ({
    penalty: own,
    weights: ofAll.reduce((sum, { counts }) => sum + counts[step]!, 0),
    valid: ofAll.reduce((sum, { valid }) => sum + valid[step]!, 0) / splits.valid.rows,
  }));
  const best = tried.reduce((most, { valid }, step) => (valid > tried[most]!.valid ? step : most), 0);
  // paths of many columns and λ are not held in memory together
  const steps = await concurrently(columns, readsAtOnce, async (column) =>
    stepOf(await readPath(store, run.id, column), best),
  );
  const sparse: SparseWeights = {
    intercepts: Float64Array.from(steps, ({ intercept }) => intercept),
    starts: startsOf(steps),
    predictors: Uint32Array.from(steps.flatMap(({ predictors }) => Array.from(predictors))),
    weights: Float64Array.from(steps.flatMap(({ weights }) => Array.from(weights))),
  };
  const specification = { runId: run.id, ...run.specification, chosen: penalty[best]! } as JsonValue;
  const head = { dimensions, names, shape, specification };
  const bare = new Sparn({ ...head, likelihoods: { train: null, valid: null, test: null } }, sparse);
  return { model: new Sparn({ ...head, likelihoods: likelihoodsOf(bare, splits) }, sparse), tried };
}

function startsOf(steps: readonly { readonly weights: Float64Array }[]): Uint32Array {
  const starts = new Uint32Array(steps.length + 1);
  steps.forEach(({ weights }, column) => (starts[column + 1] = starts[column]! + weights.length));
  return starts;
}

/** The page about a model. */
export async function reportOf(run: Run, splits: Splits, { model, tried }: Chosen): Promise<string> {
  // the drawing libraries take longer to load than small networks to learn
  const { reportOnModel } = await import('@orchard/report');
  return reportOnModel({ runId: run.id, model, splits, sections: await sectionsOf(model, tried) });
}

/** What threads run for sparse autoregressive networks. */
export const computations = {
  /** Loads and sorts the rows that conditionals learn from, and those that choose λ. */
  load: async ({ train, valid }: { train: string; valid: string }, { store }: ComputationContext) => ({
    train: sortRows(await loadDataset(store, train)),
    valid: sortRows(await loadDataset(store, valid)),
  }),

  /** The conditional of a column under every λ. @returns null where the task was cancelled */
  path: (
    { run, column }: { run: Run; column: number },
    { data, isCancelled }: ComputationContext,
  ): PathDocument | null => {
    const { train, valid } = data((handle) => {
      const shared = handle as SharedSplits;
      return { train: attachSorted(shared.train), valid: attachSorted(shared.valid) };
    });
    const { penalty, interceptScaling } = sparnSpecification(run);
    const judged = designOf(valid, column);
    const steps = [];
    for (const fitted of fitPath(designOf(train, column), penalty, { interceptScaling })) {
      if (isCancelled()) return null;
      steps.push({ fitted, valid: -lossOf(judged, fitted) });
    }
    return pathDocument(steps);
  },

  choose: async ({ run, withReport }: { run: Run; withReport: boolean }, { store }: ComputationContext) => {
    const splits = await loadSplits(store, run);
    const { model, tried } = await choose(store, run, splits);
    const { chosen } = model.specification as { readonly chosen: number };
    const isAtEnd = tried.length > 1 && [tried[0]!.penalty, tried.at(-1)!.penalty].includes(chosen);
    await storeModelFiles(store, run, 'model', model, { penalty: { chosen, isAtEnd, tried } }, () =>
      withReport ? reportOf(run, splits, { model, tried }) : Promise.resolve(null),
    );
  },
} satisfies Computations['functions'];
