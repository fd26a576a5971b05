import type { BitMatrix } from '@orchard/dataset';
import type { RowShares } from '@orchard/logistic';
import { log, logSumExp } from '@orchard/numerics';
import { checkWeights, type SparseWeights, type Sums, sumsOf, weightsOfColumns } from './sparse-weights.js';

/**
 * How probable the components of an interval are by the columns before it: P(h | before) in proportion to the
 * exponential of h's score.
 */
export class Gate {
  readonly components: number;
  readonly #sums: Sums;

  /**
   * @param first column of the interval
   * @param scores of each component, predicted by columns before `first`
   * @throws RangeError where other columns predict them
   */
  constructor(
    readonly first: number,
    readonly scores: SparseWeights,
  ) {
    checkWeights(scores, () => first);
    this.components = scores.intercepts.length;
    this.#sums = sumsOf(scores);
  }

  /** A gate without predictors. */
  static ofWeights(weights: readonly number[]): Gate {
    return new Gate(0, weightsOfColumns(weights.map((own) => ({ intercept: log(own), predictors: [], weights: [] }))));
  }

  /** log P(h | before) of every component, by the values that begin at `row`; written from `at` on. */
  into(logs: Float64Array, at: number, values: Uint8Array, row: number): void {
    const own = logs.subarray(at, at + this.components);
    for (let h = 0; h < this.components; h++) own[h] = this.#sums(h, values, row);
    const total = logSumExp(own);
    for (let h = 0; h < this.components; h++) own[h]! -= total;
  }

  /** Σ share log P(h | before) of rows that are shared out, a row. */
  natsOf(matrix: BitMatrix, { starts, componentOf, shares }: RowShares): number {
    const values = new Uint8Array(this.first);
    const logs = new Float64Array(this.components);
    let sum = 0;
    for (let row = 0; row < matrix.rows; row++) {
      for (let column = 0; column < this.first; column++) values[column] = matrix.get(row, column);
      this.into(logs, 0, values, 0);
      for (let at = starts[row]!; at < starts[row + 1]!; at++) sum += shares[at]! * logs[componentOf[at]!]!;
    }
    return sum / matrix.rows;
  }
}
