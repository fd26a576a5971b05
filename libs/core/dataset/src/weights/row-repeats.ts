import { meanOf } from '@orchard/numerics';
/** Weights of whole numbers are repeats as they are, while the rows of all files come to no more than this. */
export const MOST_REPEATED = 2 ** 24;

/** How often each row of some files stands for itself. */
export interface RowRepeats {
  /** Of each file, of each row. */
  readonly repeats: readonly Uint32Array[];
  /** What weight one repeat stands for: 1 where weights are whole numbers and taken as they are. */
  readonly step: number;
  /** Rows of so small a weight that they are not taken at all. */
  readonly notTaken: number;
}

/** Whether these weights are repeats as they are. */
export function areRepeats(weights: readonly Float64Array[]): boolean {
  let sum = 0;
  for (const ofFile of weights) {
    for (const weight of ofFile) {
      if (!Number.isInteger(weight)) return false;
      sum += weight;
    }
  }
  return sum <= MOST_REPEATED;
}

/**
 * How often each row is to stand, so that it counts by its weight. Whole numbers are taken as they are. All others are
 * put on a grid whose step is the first file's mean weight: the sum of the weights up to a row, in steps, is rounded,
 * and a row stands as often as that sum grew by it. So rows one after another stand together as often as they weigh,
 * within one step, and nothing is drawn. A finer grid would make more rows of them than there are, and models would
 * learn each as if it had been seen so often (measured.md).
 *
 * @param weights of each file; the first file trains
 */
export function repeatsOf(weights: readonly Float64Array[]): RowRepeats {
  if (areRepeats(weights)) return { repeats: weights.map((ofFile) => Uint32Array.from(ofFile)), step: 1, notTaken: 0 };
  const step = meanOf(weights[0]!);
  let notTaken = 0;
  const repeats = weights.map((ofFile) => {
    let [sum, before] = [0, 0];
    return Uint32Array.from(ofFile, (weight) => {
      sum += weight;
      const after = Math.round(sum / step);
      const repeat = after - before;
      before = after;
      if (repeat === 0) notTaken++;
      return repeat;
    });
  });
  return { repeats, step, notTaken };
}
