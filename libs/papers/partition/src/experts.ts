import { MARGIN, MOST_EXPERTISE } from './levels.js';

export interface ExpertParts {
  readonly dimensions: number;
  /** π: how probable it is that expert k takes part. */
  readonly active: Float64Array;
  /** μ: P(1) of column d where expert k alone answers for it: `opinions[k * dimensions + d]`. */
  readonly opinions: Float64Array;
  /** e: the level of expertise of expert k in column d, alike. */
  readonly expertise: Float64Array;
}

/**
 * Experts that each have a template and an area of expertise (thesis, 4.1). Those that take part in a row share each of
 * its columns out by their levels of expertise: r_k = e_k / Σ e, and P(1) = Σ r_k μ_k. Which take part: each by itself,
 * with probability π_k, but never none. Immutable.
 */
export class Experts implements ExpertParts {
  readonly dimensions: number;
  readonly active: Float64Array;
  readonly opinions: Float64Array;
  readonly expertise: Float64Array;
  /** e μ: what an expert adds to the scale for 1. */
  readonly ones: Float64Array;

  /** @throws RangeError where a number is not in its range, or there are not as many as there should be */
  constructor({ dimensions, active, opinions, expertise }: ExpertParts) {
    const isOpen = (p: number): boolean => p >= MARGIN && p <= 1 - MARGIN;
    const cells = active.length * dimensions;
    if (active.length === 0 || opinions.length !== cells || expertise.length !== cells)
      throw new RangeError(`${String(opinions.length)} opinions of ${String(active.length)} experts`);
    if (!active.every(isOpen) || !opinions.every(isOpen))
      throw new RangeError('a probability that is not between 2^-50 and 1 - 2^-50');
    if (!expertise.every((level) => level >= 1 / MOST_EXPERTISE && level <= MOST_EXPERTISE))
      throw new RangeError('a level of expertise that is not between 2^-20 and 2^20');
    this.dimensions = dimensions;
    this.active = active;
    this.opinions = opinions;
    this.expertise = expertise;
    this.ones = opinions.map((opinion, at) => expertise[at]! * opinion);
  }

  get count(): number {
    return this.active.length;
  }

  /** P(1) of each column where these experts take part, at least one: to `rates[offset + column]`. */
  composeInto(experts: readonly number[], rates: Float64Array, offset = 0): void {
    const { dimensions, ones, expertise } = this;
    for (let dim = 0; dim < dimensions; dim++) {
      let one = 0;
      let whole = 0;
      for (const expert of experts) {
        one += ones[expert * dimensions + dim]!;
        whole += expertise[expert * dimensions + dim]!;
      }
      rates[offset + dim] = Math.min(Math.max(one / whole, MARGIN), 1 - MARGIN);
    }
  }

  parts(): ExpertParts {
    const { dimensions, active, opinions, expertise } = this;
    return { dimensions, active, opinions, expertise };
  }
}
