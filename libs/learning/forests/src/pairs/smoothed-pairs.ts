import { log } from '@orchard/numerics';
import type { PairCounts } from './pair-counts.js';
import type { PairProbabilities } from './pair-probabilities.js';

/**
 * Probabilities by counts with a pseudocount: each of the four values of a pair of columns gets `pseudoCount` rows a.
 * P(i, j) = (n_ij + a) / (N + 4a), and P(i) = (n_i + 2a) / (N + 4a), which is the margin of every pair, so that any
 * forest of pairs is a distribution.
 *
 * It may be given other counts: its tables of logarithms stay.
 */
export class SmoothedPairs implements PairProbabilities {
  /** (n + a) log(n + a), of 0 to the most rows that there were: cells. */
  #cells = new Float64Array();
  /** (n + 2a) log(n + 2a): margins. */
  #margins = new Float64Array();
  #counts!: PairCounts;
  /** Of each column how often it is 1, and the sum over its two values of what the table of margins says. */
  #ones = new Uint32Array();
  #ofColumns = new Float64Array();
  /** N + 4a, and (N + 4a) log(N + 4a). */
  #all = 0;
  #ofAll = 0;

  constructor(
    counts: PairCounts,
    readonly pseudoCount: number,
  ) {
    this.counts = counts;
  }

  get counts(): PairCounts {
    return this.#counts;
  }

  set counts(counts: PairCounts) {
    const { rows, dimensions } = counts;
    if (rows >= this.#cells.length) {
      this.#cells = weighed(this.#cells, rows, this.pseudoCount);
      this.#margins = weighed(this.#margins, rows, 2 * this.pseudoCount);
    }
    this.#counts = counts;
    this.#all = rows + 4 * this.pseudoCount;
    this.#ofAll = this.#all * log(this.#all);
    if (this.#ones.length < dimensions) {
      this.#ones = new Uint32Array(dimensions);
      this.#ofColumns = new Float64Array(dimensions);
    }
    for (let column = 0; column < dimensions; column++) {
      const ones = counts.together(column, column);
      this.#ones[column] = ones;
      this.#ofColumns[column] = this.#margins[ones]! + this.#margins[rows - ones]!;
    }
  }

  /** P(a = 1, b = 1); of a column with itself its rate. */
  both(a: number, b: number): number {
    const { counts, pseudoCount } = this;
    return (counts.together(a, b) + (a === b ? 2 : 1) * pseudoCount) / (counts.rows + 4 * pseudoCount);
  }

  /** P(column = 1). */
  rate(column: number): number {
    const { counts, pseudoCount } = this;
    return (counts.together(column, column) + 2 * pseudoCount) / (counts.rows + 4 * pseudoCount);
  }

  /** P(column = 1 | other = value). */
  rateGiven(column: number, other: number, value: 0 | 1): number {
    const { counts, pseudoCount } = this;
    const both = counts.together(column, other);
    const others = counts.together(other, other);
    const ones = value === 1 ? both : counts.together(column, column) - both;
    const rows = value === 1 ? others : counts.rows - others;
    return (ones + pseudoCount) / (rows + 2 * pseudoCount);
  }

  /**
   * I(a; b) in nats, of the probabilities. The sums are grouped so that pairs of equal counts have equal bits,
   * whichever of their values is called 1: what is a tie stays one.
   */
  information(a: number, b: number): number {
    const counts = this.#counts;
    const cells = this.#cells;
    const onesA = this.#ones[a]!;
    const onesB = this.#ones[b]!;
    const both = counts.together(a, b);
    const ofCells =
      cells[both]! + cells[counts.rows - onesA - onesB + both]! + (cells[onesA - both]! + cells[onesB - both]!);
    const ofMargins = this.#ofColumns[a]! + this.#ofColumns[b]!;
    return (ofCells - ofMargins + this.#ofAll) / this.#all;
  }
}

/** (n + added) log(n + added) of 0 to `rows` at least; it begins with what is known of it. */
function weighed(known: Float64Array, rows: number, added: number): Float64Array<ArrayBuffer> {
  const table = new Float64Array(Math.max(rows + 1, 2 * known.length));
  table.set(known);
  for (let count = known.length; count < table.length; count++)
    table[count] = count + added === 0 ? 0 : (count + added) * log(count + added);
  return table;
}
