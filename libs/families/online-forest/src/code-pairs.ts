import { exp, log } from '@orchard/numerics';
import { entropyOf, type StreamPairs } from './stream-pairs.js';

/** More counts than this would take more than 256 MiB. */
export const MOST_COUNTS = 2 ** 26;

/**
 * Pairs of columns of categories. The slides add 1/2 to each of the m² values of a pair, which makes forests that sum
 * to 1 where all columns have as many values. Where they have different ones, all pairs get the same number of rows S,
 * spread evenly over their values: (t_uv + S / (m m')) / (t + S), so that a column's margin (t_u + S / m) / (t + S) is
 * the same in every pair. S is half the geometric mean of all m m', which is m² / 2 where all m are equal.
 */
export class CodePairs implements StreamPairs {
  readonly counts: Uint32Array;
  /** S. */
  readonly added: number;
  /** Where the counts of each column begin, and behind them of each pair (a, b), b < a: at a (a - 1) / 2 + b. */
  readonly #ofColumns: Uint32Array;
  readonly #ofPairs: Float64Array;
  readonly #margins: Float64Array;
  #rows: number;

  /**
   * @param sizes how many values each column has
   * @param counts of each value of each column, then of each pair of values, `u * sizes[b] + v`; none are given where a
   *   stream begins
   * @throws RangeError where there are too many
   */
  constructor(
    private readonly sizes: ArrayLike<number>,
    rows = 0,
    counts: Uint32Array | null = null,
  ) {
    const columns = sizes.length;
    this.#rows = rows;
    this.#margins = new Float64Array(columns);
    this.#ofColumns = new Uint32Array(columns);
    this.#ofPairs = new Float64Array((columns * (columns - 1)) / 2);
    const all = countsOf(sizes);
    if (all > MOST_COUNTS) throw new RangeError(`${String(all)} counts, at most ${String(MOST_COUNTS)}`);
    if (counts !== null && counts.length !== all)
      throw new RangeError(`${String(counts.length)} counts, expected ${String(all)}`);
    let next = 0;
    for (let a = 0; a < columns; a++) {
      this.#ofColumns[a] = next;
      next += sizes[a]!;
    }
    for (let a = 0, at = 0; a < columns; a++)
      for (let b = 0; b < a; b++, at++) {
        this.#ofPairs[at] = next;
        next += sizes[a]! * sizes[b]!;
      }
    this.counts = counts ?? new Uint32Array(all);
    this.added = addedRows(sizes);
  }

  get rows(): number {
    return this.#rows;
  }

  costs(values: ArrayLike<number>, edges: Float64Array): number {
    const { sizes, counts, added } = this;
    const margins = this.#margins;
    const all = log(this.#rows + added);
    let alone = 0;
    for (let a = 0; a < sizes.length; a++) {
      margins[a] = log(counts[this.#ofColumns[a]! + values[a]!]! + added / sizes[a]!) - all;
      alone += margins[a]!;
    }
    for (let a = 0, at = 0, place = 0; a < sizes.length; a++, place++) {
      const share = added / sizes[a]!;
      for (let b = 0; b < a; b++, at++, place++) {
        const width = sizes[b]!;
        const cell = counts[this.#ofPairs[at]! + values[a]! * width + values[b]!]!;
        edges[place] = margins[a]! + margins[b]! - (log(cell + share / width) - all);
      }
    }
    return -alone;
  }

  add(values: ArrayLike<number>): void {
    const { sizes, counts } = this;
    for (let a = 0, at = 0; a < sizes.length; a++) {
      counts[this.#ofColumns[a]! + values[a]!]!++;
      for (let b = 0; b < a; b++, at++) counts[this.#ofPairs[at]! + values[a]! * sizes[b]! + values[b]!]!++;
    }
    this.#rows++;
  }

  entropy(column: number, other = column): number {
    return entropyOf(column === other ? this.#ofColumn(column) : this.#ofPair(column, other), this.#rows);
  }

  /** P(value) of a column. */
  margin(column: number): Float64Array {
    const { added } = this;
    const own = this.#ofColumn(column);
    return Float64Array.from(own, (count) => (count + added / own.length) / (this.#rows + added));
  }

  /** P(value | the other's value) of a column: a line for each value of the other. */
  given(column: number, other: number): Float64Array {
    const [size, lines] = [this.sizes[column]!, this.sizes[other]!];
    const cells = this.#ofPair(column, other);
    const others = this.#ofColumn(other);
    const share = this.added / (size * lines);
    const at = (value: number, line: number): number =>
      cells[column > other ? value * lines + line : line * size + value]!;
    return Float64Array.from({ length: size * lines }, (_, cell) => {
      const line = Math.floor(cell / size);
      return (at(cell % size, line) + share) / (others[line]! + this.added / lines);
    });
  }

  #ofColumn(column: number): Uint32Array {
    const from = this.#ofColumns[column]!;
    return this.counts.subarray(from, from + this.sizes[column]!);
  }

  /** By the values of the later column, then of the earlier one. */
  #ofPair(column: number, other: number): Uint32Array {
    const [a, b] = column > other ? [column, other] : [other, column];
    const from = this.#ofPairs[(a * (a - 1)) / 2 + b]!;
    return this.counts.subarray(from, from + this.sizes[a]! * this.sizes[b]!);
  }
}

/** How many counts there are of columns of so many values. */
export function countsOf(sizes: ArrayLike<number>): number {
  let [columns, pairs] = [0, 0];
  for (let a = 0; a < sizes.length; a++) {
    pairs += sizes[a]! * columns;
    columns += sizes[a]!;
  }
  return columns + pairs;
}

function addedRows(sizes: ArrayLike<number>): number {
  const all = Array.from(sizes);
  if (all.every((size) => size === all[0])) return all[0]! ** 2 / 2;
  const mean = all.reduce((sum, size) => sum + log(size), 0) / all.length;
  return exp(2 * mean) / 2;
}
