import { logOdds, type Composing } from './composed.js';
import { composedBy } from './composed-of-votes.js';
import type { Experts } from './experts.js';

/** The experts that explain a row. */
export interface Explanation {
  /** In the order in which they were added. */
  readonly experts: readonly number[];
  /** log P(row | these experts), nats. */
  readonly nats: number;
}

/**
 * Likelihood matching pursuit (thesis, 3.2): of all experts the one is added that makes the row likeliest, of equal
 * ones the first, until none makes it likelier; the first is always taken. K D a step. Beyond the thesis an expert
 * counts by how often it is active, so that what is maximized is the probability of row and experts together: by the
 * row's alone, experts are added that fit its noise.
 */
export class Pursuit {
  readonly #composed: Composing;
  /**
   * As the thesis has it, of asymmetric rules the pursuit looks at truncated templates; the likelihood is that of the
   * whole ones.
   */
  readonly #whole: Composing | null;
  /** log P(active) - log P(not active) of each expert. */
  readonly #odds: Float64Array;

  constructor(readonly experts: Experts) {
    const seen = experts.truncated();
    this.#composed = composedBy(seen);
    this.#whole = seen === experts ? null : composedBy(experts);
    this.#odds = experts.active.map(logOdds);
  }

  /** The template of the explanation that was found last. */
  get composed(): Composing {
    return this.#whole ?? this.#composed;
  }

  /** @param values 0 or 1 of each column */
  explain(values: Uint8Array): Explanation {
    const composed = this.#composed;
    const { count } = this.experts;
    const chosen: number[] = [];
    composed.clear();
    // of the row and the experts, up to what all sets share
    let highest = -Infinity;
    let prior = 0;
    while (chosen.length < count) {
      let best = -1;
      for (let expert = 0; expert < count; expert++) {
        if (chosen.includes(expert)) continue;
        const nats = composed.natsWith(expert, values) + prior + this.#odds[expert]!;
        if (nats > highest) {
          highest = nats;
          best = expert;
        }
      }
      if (best < 0) break;
      composed.add(best);
      prior += this.#odds[best]!;
      chosen.push(best);
    }
    if (this.#whole !== null) {
      this.#whole.clear();
      for (const expert of chosen) this.#whole.add(expert);
    }
    return { experts: chosen, nats: this.composed.nats(values) };
  }
}
