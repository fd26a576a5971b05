import { explainBy, type Explanation } from './matching-pursuit.js';
import { Candidates } from './candidates.js';
import type { Experts } from './experts.js';

/** How experts explain rows of 0 and 1. K D a step. */
export class Pursuit {
  readonly #candidates: Candidates;

  constructor(readonly experts: Experts) {
    this.#candidates = new Candidates(experts);
  }

  /** As {@link explainBy}. @param values 0 or 1 of each column */
  explain(
    values: Uint8Array,
    prices: Float64Array | null = null,
    visit?: (before: readonly number[], expert: number, nats: number) => void,
  ): Explanation {
    this.#candidates.begin(values);
    return explainBy(this.#candidates, this.experts.count, prices, visit);
  }
}
