import { Candidates } from './candidates.js';
import type { Experts } from './experts.js';

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
 * Likelihood matching pursuit (thesis, 4.2): the expert is added that makes the row likeliest, of equal ones the first,
 * until none makes it likelier. K D a step.
 */
export class Pursuit {
  readonly #candidates: Candidates;

  constructor(readonly experts: Experts) {
    this.#candidates = new Candidates(experts);
  }

  /**
   * @param values 0 or 1 of each column
   * @param prices nats that an expert has to be worth to be added: none, as the thesis has it
   * @param visit called for every set that is looked at, none twice: the experts before, one that may be added, and log
   *   P(row | all of these)
   */
  explain(
    values: Uint8Array,
    prices: Float64Array | null = null,
    visit?: (before: readonly number[], expert: number, nats: number) => void,
  ): Explanation {
    const { count } = this.experts;
    const { nats: told } = this.#candidates;
    this.#candidates.begin(values);
    const chosen: number[] = [];
    let nats = -Infinity;
    while (chosen.length < count) {
      this.#candidates.ask();
      let best = -1;
      let highest = nats + LEAST_GAIN;
      for (let expert = 0; expert < count; expert++) {
        if (chosen.includes(expert)) continue;
        visit?.(chosen, expert, told[expert]!);
        const worth = told[expert]! - (prices?.[expert] ?? 0);
        if (worth > highest) [highest, best] = [worth, expert];
      }
      if (best < 0) break;
      nats = told[best]!;
      this.#candidates.add(best);
      chosen.push(best);
    }
    return { experts: chosen, nats };
  }
}
