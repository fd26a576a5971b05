import { clampOdds, logProbability, type ColumnStates } from '@orchard/model';
import { exp, logSumExp } from '@orchard/numerics';
import type { Interval } from './interval.js';

/**
 * Some rows on their way through a sequence of mixtures, column after column: their values so far, and of each how
 * probable the components of the present interval are with them. `odds` of a column comes before `take` of it.
 */
export class IntervalStates implements ColumnStates {
  readonly values: Uint8Array;
  /**
   * Element `row * most + h`: log of P(h | before) times what the interval's values so far have under h; and the odds
   * of a 1 in the present column.
   */
  readonly #joint: Float64Array;
  readonly #odds: Float64Array;
  readonly #most: number;
  readonly #intervalOf: readonly Interval[];
  readonly #ones: Float64Array;
  readonly #zeros: Float64Array;

  constructor(
    intervals: readonly Interval[],
    readonly dimensions: number,
    rows: number,
  ) {
    this.#most = intervals.reduce((most, { components }) => Math.max(most, components), 0);
    this.values = new Uint8Array(rows * dimensions);
    this.#joint = new Float64Array(rows * this.#most);
    this.#odds = new Float64Array(rows * this.#most);
    this.#intervalOf = intervals.flatMap((one) => Array.from({ length: one.end - one.first }, () => one));
    this.#ones = new Float64Array(this.#most);
    this.#zeros = new Float64Array(this.#most);
  }

  /** Odds of a 1 in a column given the values before it, the components summed out. */
  odds(row: number, column: number): number {
    const interval = this.#intervalOf[column]!;
    const at = row * this.#most;
    const from = row * this.dimensions;
    if (column === interval.first) interval.gate.into(this.#joint, at, this.values, from);
    const { components } = interval;
    for (let h = 0; h < components; h++) {
      const odds = interval.oddsOf(column, h, this.values, from);
      this.#odds[at + h] = odds;
      this.#ones[h] = this.#joint[at + h]! + logProbability(1, odds);
      this.#zeros[h] = this.#joint[at + h]! + logProbability(0, odds);
    }
    return clampOdds(
      exp(logSumExp(this.#ones.subarray(0, components)) - logSumExp(this.#zeros.subarray(0, components))),
    );
  }

  take(row: number, column: number, value: 0 | 1): void {
    this.values[row * this.dimensions + column] = value;
    const at = row * this.#most;
    const { components } = this.#intervalOf[column]!;
    for (let h = 0; h < components; h++) this.#joint[at + h]! += logProbability(value, this.#odds[at + h]!);
  }

  /** A row becomes as another is, of which the first columns have values. */
  copy(from: number, to: number, columns: number): void {
    const { values, dimensions } = this;
    values.copyWithin(to * dimensions, from * dimensions, from * dimensions + columns);
    for (const numbers of [this.#joint, this.#odds])
      numbers.copyWithin(to * this.#most, from * this.#most, (from + 1) * this.#most);
  }
}
