import { exp, log } from '@orchard/numerics';
import { MARGIN, type Experts } from './experts.js';

/**
 * Probabilities whose product is made before its logarithm: none is below 2^-51, and 2^-1022 is the least that is
 * exact.
 */
const FACTORS = 15;

/** The template of a set of experts, which grows by one at a time. */
export interface Composing {
  /** No expert. */
  clear(): void;
  copy(from: this): void;
  add(expert: number): void;
  /** P(1) of each column: to `rates[offset + column]`. */
  ratesInto(rates: Float64Array, offset?: number): void;
  /** log P(row | the experts), nats. @param values 0 or 1 of each column */
  nats(values: Uint8Array): number;
  /** The same with one expert more, which is not added. */
  natsWith(expert: number, values: Uint8Array): number;
}

/** The template where the most extreme opinions count, or the sum of log-odds. Its arrays are its own. */
export class Composed implements Composing {
  /** The highest and the lowest opinion of each column, q counted among them; of log-odds, their sum in `highest`. */
  readonly #highest: Float64Array;
  readonly #lowest: Float64Array;
  /** What is composed: probabilities, or their log-odds. */
  readonly #opinions: Float64Array;
  readonly #sums: boolean;
  readonly #q: number;

  constructor(readonly experts: Experts) {
    const { composition, dimensions, rates, abstaining } = experts;
    this.#sums = composition === 'log-odds';
    this.#opinions = this.#sums ? rates.map(logOdds) : rates;
    this.#highest = new Float64Array(dimensions);
    this.#lowest = new Float64Array(dimensions);
    this.#q = this.#sums ? logOdds(abstaining) : abstaining;
    this.clear();
  }

  clear(): void {
    this.#highest.fill(this.#q);
    this.#lowest.fill(this.#q);
  }

  copy(from: Composed): void {
    this.#highest.set(from.#highest);
    this.#lowest.set(from.#lowest);
  }

  add(expert: number): void {
    const { dimensions } = this.experts;
    const [highest, lowest, opinions] = [this.#highest, this.#lowest, this.#opinions];
    for (let dim = 0, at = expert * dimensions; dim < dimensions; dim++, at++) {
      const opinion = opinions[at]!;
      if (this.#sums) highest[dim]! += opinion;
      else if (opinion > highest[dim]!) highest[dim] = opinion;
      else if (opinion < lowest[dim]!) lowest[dim] = opinion;
    }
  }

  ratesInto(rates: Float64Array, offset = 0): void {
    const { dimensions } = this.experts;
    for (let dim = 0; dim < dimensions; dim++)
      rates[offset + dim] = this.#sums
        ? rateOf(this.#highest[dim]!)
        : this.#highest[dim]! + this.#lowest[dim]! - this.#q;
  }

  nats(values: Uint8Array): number {
    return this.#nats(values, -1);
  }

  natsWith(expert: number, values: Uint8Array): number {
    return this.#nats(values, expert);
  }

  /** Of extremes q + (max - q)+ - (min - q)-: as q is among the opinions, max + min - q. */
  #nats(values: Uint8Array, expert: number): number {
    const [highest, lowest, opinions, q, sums] = [this.#highest, this.#lowest, this.#opinions, this.#q, this.#sums];
    let nats = 0;
    let product = 1;
    let at = expert * values.length;
    for (let dim = 0, left = FACTORS; dim < values.length; dim++, at++) {
      let high = highest[dim]!;
      let low = lowest[dim]!;
      if (expert >= 0) {
        const opinion = opinions[at]!;
        if (sums) high += opinion;
        else if (opinion > high) high = opinion;
        else if (opinion < low) low = opinion;
      }
      const rate = sums ? rateOf(high) : high + low - q;
      product *= values[dim] === 1 ? rate : 1 - rate;
      if (--left === 0) {
        nats += log(product);
        product = 1;
        left = FACTORS;
      }
    }
    return nats + log(product);
  }
}

export function logOdds(rate: number): number {
  return log(rate) - log(1 - rate);
}

/** The probability of log-odds. */
export function rateOf(odds: number): number {
  const size = exp(-Math.abs(odds));
  const rate = odds > 0 ? 1 / (1 + size) : size / (1 + size);
  return Math.min(Math.max(rate, MARGIN), 1 - MARGIN);
}
