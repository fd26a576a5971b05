import type { PairProbabilities } from './pair-probabilities.js';

/** Of a rate to 0 and 1: few rows beside many weighted ones leave less than rounding does. */
const MARGIN = 2 ** -50;

/** Tables of pairs and of columns; a pair is at `a * (a + 1) / 2 + b`, b <= a. */
export interface PairTables {
  /** P(a and b are 1). */
  readonly both: Float64Array;
  readonly rates: Float64Array;
  /** I(a; b) in nats. */
  readonly information: Float64Array;
}

/**
 * Probabilities of pairs of columns as {@link WeightedPairCounter} finds them. Any forest of them is a distribution:
 * the margin of a column is the same in every pair.
 */
export class WeightedPairs implements PairProbabilities {
  constructor(private readonly tables: PairTables) {}

  both(a: number, b: number): number {
    return this.tables.both[placeOf(a, b)]!;
  }

  rate(column: number): number {
    return this.tables.rates[column]!;
  }

  rateGiven(column: number, other: number, value: 0 | 1): number {
    const both = this.both(column, other);
    const rate = this.rate(other);
    return within(value === 1 ? both / rate : (this.rate(column) - both) / (1 - rate));
  }

  information(a: number, b: number): number {
    return this.tables.information[placeOf(a, b)]!;
  }
}

/** Where a pair is in a table of pairs, whichever of the two is named first. */
export function placeOf(a: number, b: number): number {
  return a < b ? (b * (b + 1)) / 2 + a : (a * (a + 1)) / 2 + b;
}

export function within(rate: number): number {
  return Math.min(Math.max(rate, MARGIN), 1 - MARGIN);
}
