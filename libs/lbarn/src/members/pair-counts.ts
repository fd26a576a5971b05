import type { BitMatrix } from '@orchard/dataset';
import { log } from '@orchard/numerics';

/** Beyond this many columns the counts of all pairs would take more than 64 MiB. */
export const MOST_PAIRED = 4096;

/** Some seconds. */
const MOST_WORDS = 2 ** 31;

/** How often columns are 1 together, of all pairs of columns. */
export class PairCounts {
  readonly dimensions: number;
  /** That were counted. */
  readonly rows: number;
  readonly #together: Uint32Array;
  /** n log n of 0 to `rows`. */
  readonly #weighed: Float64Array;

  /**
   * Counts the pairs by popcounts over bit columns: D² N / 64 of them. Where that were too many only every k-th row is looked
   * at: `rows` says how many were.
   *
   * @param mostWords words of 32 rows that may be compared, over all pairs
   */
  constructor(matrix: BitMatrix, mostWords = MOST_WORDS) {
    const { dimensions } = matrix;
    const most = 32 * Math.max(1, Math.floor(mostWords / dimensions ** 2));
    const step = Math.max(1, Math.ceil(matrix.rows / most));
    this.dimensions = dimensions;
    this.rows = Math.ceil(matrix.rows / step);
    const words = Math.ceil(this.rows / 32);
    const columns = bitColumns(matrix, step, words);
    const together = new Uint32Array(dimensions * dimensions);
    for (let a = 0; a < dimensions; a++) {
      for (let b = 0; b <= a; b++) {
        let count = 0;
        for (let word = 0, left = a * words, right = b * words; word < words; word++, left++, right++) {
          let bits = columns[left]! & columns[right]!;
          bits -= (bits >>> 1) & 0x55555555;
          bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
          count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
        }
        together[a * dimensions + b] = count;
        together[b * dimensions + a] = count;
      }
    }
    this.#together = together;
    this.#weighed = Float64Array.from({ length: this.rows + 1 }, (_, count) => (count === 0 ? 0 : count * log(count)));
  }

  /** Rows in which both are 1; of a column with itself, those in which it is. */
  together(a: number, b: number): number {
    return this.#together[a * this.dimensions + b]!;
  }

  /** H(column) in nats. */
  entropy(column: number): number {
    const ones = this.together(column, column);
    const weighed = this.#weighed;
    return (weighed[this.rows]! - weighed[ones]! - weighed[this.rows - ones]!) / this.rows;
  }

  /** I(a; b) in nats, as counted: Σ n_ij log(n_ij N / (n_i n_j)) / N. */
  information(a: number, b: number): number {
    const { rows } = this;
    const weighed = this.#weighed;
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
}

/** Every `step`-th row as columns of bits, each of so many words. */
function bitColumns(matrix: BitMatrix, step: number, words: number): Int32Array {
  const { rows, dimensions, stride, bytes } = matrix;
  const columns = new Int32Array(dimensions * words);
  for (let row = 0, at = 0; row < rows; row += step, at++) {
    const bit = 1 << (at & 31);
    for (let dim = 0; dim < dimensions; dim++) {
      if ((bytes[row * stride + (dim >> 3)]! & (0x80 >> (dim & 7))) !== 0) columns[dim * words + (at >> 5)]! |= bit;
    }
  }
  return columns;
}
