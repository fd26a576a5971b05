import { log } from '@orchard/numerics';

/** What a stream has counted of pairs of its columns: the part that knows what values there are. */
export interface StreamPairs {
  /** Rows counted. */
  readonly rows: number;
  /** All counts, as the state keeps them. */
  readonly counts: Uint32Array;
  /**
   * −Σ log P(x_a) of a row, nats, by the rows so far; log (P(x_a) P(x_b) / P(x_a, x_b)) of each pair goes to
   * `edges[placeOf(a, b)]`.
   *
   * @param values of each column: the numbers of its values, from 0
   */
  costs(values: ArrayLike<number>, edges: Float64Array): number;
  add(values: ArrayLike<number>): void;
  /** Summed −log of the shares of each value, or pair of values, among the rows, of all rows: nats. */
  entropy(column: number, other?: number): number;
}

/** Where the pair of two columns, or a column with itself, stands in arrays of all of them. */
export function placeOf(a: number, b: number): number {
  return a > b ? (a * (a + 1)) / 2 + b : (b * (b + 1)) / 2 + a;
}

/** −Σ n log (n / N) of how often each value is there. */
export function entropyOf(cells: ArrayLike<number> & Iterable<number>, rows: number): number {
  let sum = 0;
  for (const cell of cells) if (cell > 0) sum -= cell * log(cell / rows);
  return sum;
}
