import type { BitMatrix } from '@orchard/dataset';
import { exp } from '@orchard/numerics';
import type { DensityModel } from './density-model.js';

/** P(1) of each value, given the columns that predict it (`DensityModel.valueRates`), of any model that has them. */
export function valueRates(model: DensityModel, matrix: BitMatrix): Float64Array {
  if (model.valueRates !== undefined) return model.valueRates(matrix);
  const { dimensions } = model;
  // the value's own probability is that of its surprise, and the other value has the rest
  return model.score(matrix, { top: 0 }).surprise.map((nats, at) => {
    const own = exp(-nats);
    return matrix.get(Math.floor(at / dimensions), at % dimensions) === 1 ? own : 1 - own;
  });
}

/** Less is taken for it where rates are divided by. */
const LEAST_RATE = 1e-300;

/**
 * The rates of a mixture: of each value the mean of its members' rates, by how probable each member holds the rest of
 * the row, which is its weight times its other conditionals. Members are added one after the other.
 */
export class MixedRates {
  readonly #ones: Float64Array;
  readonly #all: Float64Array;

  constructor(size: number) {
    this.#ones = new Float64Array(size);
    this.#all = new Float64Array(size);
  }

  /**
   * @param at the place of a value
   * @param share P(member | the whole row)
   * @param rate P(1) of the value by the member
   * @param value which the row has
   */
  add(at: number, share: number, rate: number, value: number): void {
    // of the whole row without the value
    const weight = share / Math.max(value === 1 ? rate : 1 - rate, LEAST_RATE);
    this.#ones[at]! += weight * rate;
    this.#all[at]! += weight;
  }

  /** At most 1, whatever the rounding. */
  rates(): Float64Array {
    return this.#ones.map((one, at) => Math.min(1, one / this.#all[at]!));
  }
}
