import { log } from '@orchard/numerics';
import type { PairInformation } from './pair-information.js';

/** How often columns are 1 together, of all pairs of columns. */
export class PairCounts implements PairInformation {
  /** n log n of 0 to `rows`. */
  #weighed: Float64Array | null = null;

  /** @param lower `lower[a * dimensions + b]`, for b <= a: rows in which a and b are 1 */
  constructor(
    readonly dimensions: number,
    /** That were counted. */
    readonly rows: number,
    private readonly lower: Uint32Array,
  ) {}

  /** Rows in which both are 1; of a column with itself, those in which it is. */
  together(a: number, b: number): number {
    return a < b ? this.lower[b * this.dimensions + a]! : this.lower[a * this.dimensions + b]!;
  }

  /** Of those rows that another count, of some of them, leaves out. */
  without({ rows, lower }: PairCounts): PairCounts {
    return new PairCounts(
      this.dimensions,
      this.rows - rows,
      this.lower.map((count, at) => count - lower[at]!),
    );
  }

  /** H(column) in nats. */
  entropy(column: number): number {
    const ones = this.together(column, column);
    const weighed = this.#weigh();
    return (weighed[this.rows]! - weighed[ones]! - weighed[this.rows - ones]!) / this.rows;
  }

  /** I(a; b) in nats, as counted: Σ n_ij log(n_ij N / (n_i n_j)) / N. */
  information(a: number, b: number): number {
    const { rows } = this;
    const weighed = this.#weigh();
    const [onesA, onesB, both] = [this.together(a, a), this.together(b, b), this.together(a, b)];
    const cells =
      weighed[both]! + weighed[onesA - both]! + weighed[onesB - both]! + weighed[rows - onesA - onesB + both]!;
    const margins = weighed[onesA]! + weighed[rows - onesA]! + weighed[onesB]! + weighed[rows - onesB]!;
    return Math.max(0, (cells - margins + weighed[rows]!) / rows);
  }

  /** The covariance of two columns; of a column with itself its variance. */
  covariance(a: number, b: number): number {
    const { rows } = this;
    return this.together(a, b) / rows - (this.together(a, a) / rows) * (this.together(b, b) / rows);
  }

  #weigh(): Float64Array {
    this.#weighed ??= Float64Array.from({ length: this.rows + 1 }, (_, count) =>
      count === 0 ? 0 : count * log(count),
    );
    return this.#weighed;
  }
}
