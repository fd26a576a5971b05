import { EPSILON, type Experts } from './experts.js';
import type { PlacedExperts } from './placed-experts.js';
import type { Configuration } from './placed-pursuit.js';

/**
 * Of each expert and column the rows in which its opinion was the most extreme (k* and l* of the thesis, 3.3), and
 * those of them with a 1: by eq. 3.1 the templates follow.
 */
export class ExtremalCounts {
  readonly #rows: Float64Array;
  readonly #ones: Float64Array;

  constructor(
    experts: number,
    private readonly dimensions: number,
  ) {
    this.#rows = new Float64Array(experts * dimensions);
    this.#ones = new Float64Array(experts * dimensions);
  }

  /**
   * Counts a row for the experts that are responsible for its columns. Beyond the thesis a column of which none of them
   * says anything counts for the first: otherwise an expert that says 1/2 of a column once says so for ever.
   *
   * @param active the experts that explain it, in the order in which they were found
   */
  add({ rates, abstaining }: Experts, values: Uint8Array, active: readonly number[], times: number): void {
    for (let dim = 0; dim < this.dimensions; dim++) {
      let [highest, lowest] = [abstaining, abstaining];
      let [above, below] = [-1, -1];
      for (const expert of active) {
        const at = expert * this.dimensions + dim;
        const opinion = rates[at]!;
        if (opinion > highest) {
          highest = opinion;
          above = at;
        } else if (opinion < lowest) {
          lowest = opinion;
          below = at;
        }
      }
      if (above >= 0) this.#count(above, values[dim]!, times);
      if (below >= 0) this.#count(below, values[dim]!, times);
      if (above < 0 && below < 0 && active.length > 0)
        this.#count(active[0]! * this.dimensions + dim, values[dim]!, times);
    }
  }

  /**
   * The same of experts somewhere in an image: a pixel counts for the pixel of the template that is shown there. The
   * fallback is for the first expert that shows any.
   */
  addPlaced({ spread, places }: PlacedExperts, values: Uint8Array, own: Configuration, times: number): void {
    const { dimensions } = this;
    const shown = own.experts.map((expert, at) => ({
      first: expert * dimensions,
      template: spread.template(expert * places.count + own.places[at]!),
      sources: places.sources.subarray(own.places[at]! * dimensions, (own.places[at]! + 1) * dimensions),
    }));
    for (let dim = 0; dim < dimensions; dim++) {
      let [highest, lowest] = [spread.abstaining, spread.abstaining];
      let [above, below, any] = [-1, -1, -1];
      for (const { first, template, sources } of shown) {
        if (sources[dim]! < 0) continue;
        const at = first + sources[dim]!;
        const opinion = template[dim]!;
        if (any < 0) any = at;
        if (opinion > highest) {
          highest = opinion;
          above = at;
        } else if (opinion < lowest) {
          lowest = opinion;
          below = at;
        }
      }
      if (above >= 0) this.#count(above, values[dim]!, times);
      if (below >= 0) this.#count(below, values[dim]!, times);
      if (above < 0 && below < 0 && any >= 0) this.#count(any, values[dim]!, times);
    }
  }

  /** Counts a column of a row for one expert. */
  vote(expert: number, dim: number, value: number): void {
    this.#count(expert * this.dimensions + dim, value, 1);
  }

  /** Eq. 3.1: where an expert was nowhere the most extreme it says 1/2. */
  rates(): Float64Array {
    return this.#rows.map((rows, at) => (this.#ones[at]! + EPSILON) / (rows + 2 * EPSILON));
  }

  #count(at: number, value: number, times: number): void {
    this.#rows[at]! += times;
    if (value === 1) this.#ones[at]! += times;
  }
}
