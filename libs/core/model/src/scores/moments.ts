import { areRepeats } from '@orchard/dataset';

/** Mean, and the standard error of the mean: null for a single row. */
export interface Moments {
  readonly mean: number;
  readonly standardError: number | null;
}

/** @param weights how much each value counts. @default each once */
export function moments(values: Float64Array, weights: RowWeights | null = null): Moments {
  if (weights !== null) return weightedMoments(values, weights);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 2) return { mean, standardError: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/**
 * How much rows count. A row of a whole weight is added so many times, one after another: sums are those of a file in
 * which it is repeated, to the bit.
 */
export class RowWeights {
  readonly sum: number;

  /** @param areCounts whether they count rows. @default where all are whole numbers */
  constructor(
    readonly weights: Float64Array,
    readonly areCounts = areRepeats([weights]),
  ) {
    this.sum = weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** Those of some rows, in the order given. */
  of(rows: ArrayLike<number>): RowWeights {
    return new RowWeights(
      Float64Array.from(rows, (row) => this.weights[row]!),
      this.areCounts,
    );
  }

  /** The sum with the value of a row, as often as that counts. */
  add(sum: number, value: number, row: number): number {
    const weight = this.weights[row]!;
    if (!this.areCounts) return sum + weight * value;
    let added = sum;
    for (let left = weight; left > 0; left--) added += value;
    return added;
  }
}

/** Of counts the error is that of repeated rows; of other weights that of a ratio of sums over the rows. */
function weightedMoments(values: Float64Array, weights: RowWeights): Moments {
  const { sum: all, areCounts } = weights;
  const mean = values.reduce((sum, value, row) => weights.add(sum, value, row), 0) / all;
  if (areCounts ? all < 2 : values.length < 2) return { mean, standardError: null };
  if (areCounts) {
    const squares = values.reduce((sum, value, row) => weights.add(sum, (value - mean) ** 2, row), 0);
    return { mean, standardError: Math.sqrt(squares / (all - 1) / all) };
  }
  const squares = values.reduce((sum, value, row) => sum + (weights.weights[row]! * (value - mean)) ** 2, 0);
  const { length } = values;
  return { mean, standardError: Math.sqrt((squares * length) / (length - 1)) / all };
}
