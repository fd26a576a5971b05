import { log } from '@orchard/numerics';
import { FACTORS, type Experts } from './experts.js';

/** The experts that explain a row. */
export interface Explanation {
  /** In the order in which they were added; at least one. */
  readonly experts: readonly number[];
  /** log P(row | these experts), nats. */
  readonly nats: number;
}

/** An expert is added only for more than this, nats: less is rounding. */
const LEAST_GAIN = 1e-9;

/**
 * Likelihood matching pursuit (thesis, 4.2): the expert is added that makes the row likeliest, of equal ones the first, until none makes it likelier. K D
 * a step.
 */
export class Pursuit {
  /** Of each column, of those that were added: Σ e μ, Σ e (1 − μ), Σ e. */
  readonly #ones: Float64Array;
  readonly #zeros: Float64Array;
  readonly #whole: Float64Array;

  constructor(readonly experts: Experts) {
    this.#ones = new Float64Array(experts.dimensions);
    this.#zeros = new Float64Array(experts.dimensions);
    this.#whole = new Float64Array(experts.dimensions);
  }

  /**
   * @param values 0 or 1 of each column
   * @param prices nats that an expert has to be worth to be added: none, as the thesis has it
   * @param visit told of every set that is looked at, none twice: the experts before, one that may be added, and log P(row | all of these)
   */
  explain(
    values: Uint8Array,
    prices: Float64Array | null = null,
    visit?: (before: readonly number[], expert: number, nats: number) => void,
  ): Explanation {
    const { count } = this.experts;
    this.#ones.fill(0);
    this.#zeros.fill(0);
    this.#whole.fill(0);
    const chosen: number[] = [];
    let nats = -Infinity;
    while (chosen.length < count) {
      let best = -1;
      let own = 0;
      let highest = nats + LEAST_GAIN;
      for (let expert = 0; expert < count; expert++) {
        if (chosen.includes(expert)) continue;
        const told = this.#natsWith(expert, values);
        visit?.(chosen, expert, told);
        const worth = told - (prices?.[expert] ?? 0);
        if (worth > highest) [highest, best, own] = [worth, expert, told];
      }
      if (best < 0) break;
      this.#add(best);
      chosen.push(best);
      nats = own;
    }
    return { experts: chosen, nats };
  }

  #add(expert: number): void {
    const { dimensions, ones, zeros, expertise } = this.experts;
    for (let dim = 0, at = expert * dimensions; dim < dimensions; dim++, at++) {
      this.#ones[dim]! += ones[at]!;
      this.#zeros[dim]! += zeros[at]!;
      this.#whole[dim]! += expertise[at]!;
    }
  }

  #natsWith(expert: number, values: Uint8Array): number {
    const { dimensions, ones, zeros, expertise } = this.experts;
    const [sumOnes, sumZeros, sums] = [this.#ones, this.#zeros, this.#whole];
    let nats = 0;
    let product = 1;
    let wholes = 1;
    for (let dim = 0, at = expert * dimensions, left = FACTORS; dim < dimensions; dim++, at++) {
      product *= values[dim] === 1 ? sumOnes[dim]! + ones[at]! : sumZeros[dim]! + zeros[at]!;
      wholes *= sums[dim]! + expertise[at]!;
      if (--left === 0) {
        nats += log(product / wholes);
        product = 1;
        wholes = 1;
        left = FACTORS;
      }
    }
    return nats + log(product / wholes);
  }
}
