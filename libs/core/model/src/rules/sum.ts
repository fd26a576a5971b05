import type { OrderedVariable } from '@orchard/contracts';
import { onGridOf } from '@orchard/dataset';
import type { Comparison } from './read-rule.js';

/** A column of a sum, with its sign. */
export interface SumTerm {
  readonly place: number;
  readonly variable: OrderedVariable;
  readonly sign: 1 | -1;
}

/** The number of a column, by its place; NaN where it has none. */
export type NumberAt = (place: number) => number;

/** How many of some numbers follow a rule. */
export type Standing = 'all' | 'none' | 'some';

/** Sums are equal where they differ by less than this share of their largest part: digits far behind are noise. */
const EQUAL = 1e-9;

/**
 * A comparison of sums, all on one side: Σ ± column + constant is compared with 0. Of an equality one column follows
 * from the others: it has no density of its own, and its value is computed.
 */
export class Sum {
  readonly places: readonly number[];

  /**
   * @param words the rule as it was said
   * @param preferred the columns that an equality may determine, the first rather than the others
   */
  constructor(
    readonly words: string,
    readonly terms: readonly SumTerm[],
    readonly constant: number,
    readonly comparison: Comparison,
    readonly preferred: readonly number[],
  ) {
    this.places = terms.map(({ place }) => place);
  }

  /** Whether numbers follow it; a missing number breaks nothing. */
  holds(numberAt: NumberAt): boolean {
    const { sum, size } = this.#sumOf(numberAt, -1);
    if (Number.isNaN(sum)) return true;
    return compared(this.comparison, Math.abs(sum) <= EQUAL * size ? 0 : sum);
  }

  /** The number that makes both sides equal, as its column writes it; NaN where it writes none such. */
  valueOf(place: number, numberAt: NumberAt): number {
    const { sum, size } = this.#sumOf(numberAt, place);
    const { sign, variable } = this.terms.find((term) => term.place === place)!;
    const exact = -sum / sign;
    const written = onGridOf(variable, exact);
    return Math.abs(written - exact) <= EQUAL * Math.max(size, Math.abs(exact)) ? written : NaN;
  }

  /**
   * Whether all numbers between the ends of each column follow it, or none, or some.
   *
   * @param lows the lower ends, by term
   * @param highs the upper ends, by term
   */
  within(lows: ArrayLike<number>, highs: ArrayLike<number>): Standing {
    let low = this.constant;
    let high = low;
    let size = Math.abs(low);
    for (let at = 0; at < this.terms.length; at++) {
      const from = lows[at]!;
      const to = highs[at]!;
      const isAdded = this.terms[at]!.sign === 1;
      low += isAdded ? from : -to;
      high += isAdded ? to : -from;
      size = Math.max(size, Math.abs(from), Math.abs(to));
    }
    const noise = Number.isFinite(size) ? EQUAL * size : 0;
    switch (this.comparison) {
      case '<=':
        return high <= noise ? 'all' : low > noise ? 'none' : 'some';
      case '<':
        return high < -noise ? 'all' : low >= -noise ? 'none' : 'some';
      case '>=':
        return low >= -noise ? 'all' : high < -noise ? 'none' : 'some';
      case '>':
        return low > noise ? 'all' : high <= noise ? 'none' : 'some';
      default: {
        const isApart = low > noise || high < -noise;
        if (this.comparison === '=') return isApart ? 'none' : 'some';
        return isApart ? 'all' : 'some';
      }
    }
  }

  #sumOf(numberAt: NumberAt, without: number): { readonly sum: number; readonly size: number } {
    let sum = this.constant;
    let size = Math.abs(sum);
    for (const { place, sign } of this.terms) {
      if (place === without) continue;
      const value = numberAt(place);
      sum += sign * value;
      size = Math.max(size, Math.abs(value));
    }
    return { sum, size };
  }
}

function compared(comparison: Comparison, sum: number): boolean {
  switch (comparison) {
    case '<':
      return sum < 0;
    case '<=':
      return sum <= 0;
    case '>':
      return sum > 0;
    case '>=':
      return sum >= 0;
    case '=':
      return sum === 0;
    default:
      return sum !== 0;
  }
}
