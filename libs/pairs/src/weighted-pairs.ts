import { log } from '@orchard/numerics';
import type { PairProbabilities } from './pair-probabilities.js';

/** Of a rate to 0 and 1: few rows beside many weighted ones leave less than rounding does. */
const MARGIN = 2 ** -50;

/** Rows by the columns in which they are 1: `columns[starts[row]]` to before `columns[starts[row + 1]]`, ascending. */
export interface RowsOfOnes {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
}

/**
 * Probabilities of pairs of columns in rows that count by weights, with some rows beside them that are shared out as other pairs say. Any
 * forest of them is a distribution: the margin of a column is the same in every pair.
 */
export class WeightedPairs implements PairProbabilities {
  /** P(a and b are 1) at `a * dimensions + b`, for b <= a. */
  readonly #both: Float64Array;
  readonly #rates: Float64Array;
  /** Σ p log p of each column's two values. */
  readonly #margins: Float64Array;

  /**
   * Adds where rows have ones: rows x ones² / 2.
   *
   * @param weights of each row, none negative; the sum is as many rows as they are worth
   * @param beside pairs that have a probability above 0 of all four values
   * @param added rows of `beside`, above 0
   */
  constructor(
    readonly dimensions: number,
    { starts, columns }: RowsOfOnes,
    weights: Float64Array,
    beside: PairProbabilities,
    added: number,
  ) {
    const both = new Float64Array(dimensions ** 2);
    let rows = added;
    weights.forEach((weight, row) => {
      if (weight === 0) return;
      rows += weight;
      const end = starts[row + 1]!;
      for (let at = starts[row]!; at < end; at++) {
        const line = columns[at]! * dimensions;
        for (let other = starts[row]!; other <= at; other++) both[line + columns[other]!]! += weight;
      }
    });
    for (let a = 0; a < dimensions; a++)
      for (let b = 0; b <= a; b++) {
        const at = a * dimensions + b;
        both[at] = (both[at]! + added * beside.both(a, b)) / rows;
      }
    this.#both = both;
    this.#rates = Float64Array.from({ length: dimensions }, (_, column) => within(both[column * (dimensions + 1)]!));
    this.#margins = Float64Array.from({ length: dimensions }, (_, column) => {
      const rate = this.rate(column);
      return weighed(rate) + weighed(1 - rate);
    });
  }

  both(a: number, b: number): number {
    return a < b ? this.#both[b * this.dimensions + a]! : this.#both[a * this.dimensions + b]!;
  }

  rate(column: number): number {
    return this.#rates[column]!;
  }

  rateGiven(column: number, other: number, value: 0 | 1): number {
    const both = this.both(column, other);
    const rate = this.rate(other);
    return within(value === 1 ? both / rate : (this.rate(column) - both) / (1 - rate));
  }

  /** I(a; b) in nats, the same bits whichever of the two is named first. */
  information(a: number, b: number): number {
    const both = this.both(a, b);
    const [rateA, rateB] = [this.rate(a), this.rate(b)];
    const neither = 1 - (rateA + rateB) + both;
    const cells = weighed(both) + weighed(neither) + (weighed(rateA - both) + weighed(rateB - both));
    return cells - (this.#margins[a]! + this.#margins[b]!);
  }
}

/** p log p, which is 0 of what rounding made of 0. */
function weighed(probability: number): number {
  return probability > 0 ? probability * log(probability) : 0;
}

function within(rate: number): number {
  return Math.min(Math.max(rate, MARGIN), 1 - MARGIN);
}
