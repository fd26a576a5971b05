import { loadKernel } from '@orchard/kernel';
import { meanOf } from '@orchard/numerics';
import {
  columnShapes,
  copiesAmong,
  nearestRows,
  pairTrends,
  selectRows,
  tellApart,
  type ColumnScore,
  type PairScore,
  type Rows,
} from '@orchard/resemblance';
import { someOf, type ReadRows } from './read-rows.js';

/** Sampled rows whose nearest neighbours are looked for: each is compared with all other rows. */
const MOST_NEAREST = 2000;

/** A sampled row beside the training row that it is nearest to. */
export interface NearTraining {
  /** In the file, from 1. */
  readonly row: number;
  readonly trainingRow: number;
  /** From 0, equal, to 1. */
  readonly distance: number;
  /** To the nearest held-out row. */
  readonly heldOutDistance: number;
}

export interface Judgement {
  /** Rows that were looked at. */
  readonly rows: { readonly samples: number; readonly train: number; readonly test: number };
  /** Areas under the ROC curve of a classifier: held-out rows first, since copies of training rows resemble these. */
  readonly auc: { readonly heldOut: number; readonly heldOutOfTraining: number; readonly training: number };
  /** SDMetrics' detection score of samples against training rows. */
  readonly c2st: number;
  /** Against the held-out rows. */
  readonly shape: number;
  readonly trend: number;
  readonly columns: readonly ColumnScore[];
  readonly pairs: readonly PairScore[];
  /**
   * The share of sampled rows that are nearer to a training row than to any of as many held-out rows, with its standard
   * error.
   */
  readonly dcrShare: number;
  readonly dcrError: number;
  /** Shares of rows that equal a training row. */
  readonly copies: number;
  readonly copiesOfHeldOut: number;
  readonly nearest: readonly NearTraining[];
}

export interface JudgedRows {
  readonly samples: ReadRows;
  readonly train: ReadRows;
  readonly test: ReadRows;
}

export interface JudgeOptions {
  readonly seed: number;
  /** Nearest rows to name. */
  readonly top: number;
  readonly onProgress: (stage: string, share: number) => void;
}

/** How much samples resemble rows of the same kind, and whether they are copies of those that trained their model. */
export async function judgeSamples({ samples, train, test }: JudgedRows, options: JudgeOptions): Promise<Judgement> {
  const { seed, onProgress } = options;
  const kernel = await loadKernel();
  const compare = (stage: string, left: Rows, right: Rows): ReturnType<typeof tellApart> =>
    tellApart(kernel, left, right, { seed, onProgress: (share) => onProgress(stage, share) });
  const ofTraining = compare('telling samples from training rows', train, samples);
  // as many as there are held-out rows: a classifier trained on few rows separates less, whatever they are
  const some = (rows: Rows): Rows => selectRows(rows, someOf(rows.count, test.count, seed));
  const ofHeldOut = compare('telling samples from held-out rows', test, some(samples));
  const usual = compare('telling training from held-out rows', test, some(train));
  const columns = columnShapes(test, samples);
  const pairs = pairTrends(test, samples);
  const mean = (scores: readonly { readonly score: number }[]): number =>
    scores.reduce((sum, { score }) => sum + score, 0) / scores.length;
  return {
    rows: { samples: samples.count, train: train.count, test: test.count },
    auc: { heldOut: ofHeldOut.auc, heldOutOfTraining: usual.auc, training: ofTraining.auc },
    c2st: ofTraining.score,
    shape: mean(columns),
    trend: mean(pairs),
    columns,
    pairs,
    ...distancesOf({ samples, train, test }, options),
    copies: meanOf(copiesAmong(samples, train)),
    copiesOfHeldOut: meanOf(copiesAmong(test, train)),
  };
}

function distancesOf(
  { samples, train, test }: JudgedRows,
  { seed, top, onProgress }: JudgeOptions,
): Pick<Judgement, 'dcrShare' | 'dcrError' | 'nearest'> {
  // of as many training as held-out rows, so that neither is nearer for being more
  const size = Math.min(train.count, test.count);
  const looked = someOf(samples.count, MOST_NEAREST, seed);
  const from = selectRows(samples, looked);
  const picked = someOf(train.count, size, seed);
  const distanceTo = (to: Rows, first: number): ReturnType<typeof nearestRows> =>
    nearestRows(from, to, { scale: train, onProgress: (share) => onProgress('nearest rows', first + share / 2) });
  const toTrain = distanceTo(selectRows(train, picked), 0);
  const toTest = distanceTo(selectRows(test, someOf(test.count, size, seed)), 0.5);
  const nearer = toTrain.distances.map((own, row) => {
    const other = toTest.distances[row]!;
    return own < other ? 1 : own > other ? 0 : 0.5;
  });
  const dcrShare = meanOf(nearer);
  const order = Array.from(toTrain.distances.keys()).sort(
    (a, b) => toTrain.distances[a]! - toTrain.distances[b]! || toTest.distances[b]! - toTest.distances[a]!,
  );
  return {
    dcrShare,
    dcrError: Math.sqrt(nearer.reduce((sum, own) => sum + (own - dcrShare) ** 2, 0)) / nearer.length,
    nearest: order.slice(0, top).map((row) => ({
      row: samples.numbers[looked[row]!]! + 1,
      trainingRow: train.numbers[picked[toTrain.rows[row]!]!]! + 1,
      distance: toTrain.distances[row]!,
      heldOutDistance: toTest.distances[row]!,
    })),
  };
}
