import { log } from '@orchard/numerics';
import type { PairCounts } from './pair-counts.js';
import type { PairProbabilities } from './pair-probabilities.js';

/**
 * Probabilities by counts to each of which some are added that nobody saw: each of the four values of a pair of columns gets
 * `pseudoCount` rows a. P(i, j) = (n_ij + a) / (N + 4a), and P(i) = (n_i + 2a) / (N + 4a), which is the margin of every pair, so that any
 * forest of pairs is a distribution.
 *
 * It may be given other counts, of up to `rows` rows: its tables of logarithms stay.
 */
export class SmoothedPairs implements PairProbabilities {
  /** (n + a) log(n + a), of 0 to `rows`: cells. */
  readonly #cells: Float64Array;
  /** (n + 2a) log(n + 2a): margins. */
  readonly #margins: Float64Array;

  constructor(
    public counts: PairCounts,
    readonly pseudoCount: number,
    rows = counts.rows,
  ) {
    const weighed = (added: number): Float64Array =>
      Float64Array.from({ length: rows + 1 }, (_, count) =>
        count + added === 0 ? 0 : (count + added) * log(count + added),
      );
    this.#cells = weighed(pseudoCount);
    this.#margins = weighed(2 * pseudoCount);
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
    const [ones, rows] = value === 1 ? [both, others] : [counts.together(column, column) - both, counts.rows - others];
    return (ones + pseudoCount) / (rows + 2 * pseudoCount);
  }

  /**
   * I(a; b) in nats, of the probabilities. The sums are grouped so that pairs of equal counts have equal bits, whichever of their values is
   * called 1: what is a tie stays one.
   */
  information(a: number, b: number): number {
    const { counts, pseudoCount } = this;
    const { rows } = counts;
    const cells = this.#cells;
    const margins = this.#margins;
    const [onesA, onesB, both] = [counts.together(a, a), counts.together(b, b), counts.together(a, b)];
    const ofCells = cells[both]! + cells[rows - onesA - onesB + both]! + (cells[onesA - both]! + cells[onesB - both]!);
    const ofMargins = margins[onesA]! + margins[rows - onesA]! + (margins[onesB]! + margins[rows - onesB]!);
    const all = rows + 4 * pseudoCount;
    return (ofCells - ofMargins + all * log(all)) / all;
  }
}
