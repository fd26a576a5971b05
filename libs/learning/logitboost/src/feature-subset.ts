import { philox4x32, Purpose } from '@orchard/numerics';

/**
 * Draws the predictors that one tree may use: `max(1, round(fraction x predictors))` of them, every subset of that size
 * being equally likely (selection sampling). A function of (seed, position, round) alone.
 */
export class FeatureSubset {
  readonly #allowed: Uint8Array;
  readonly #count: number;
  readonly #block = new Uint32Array(4);

  constructor(
    private readonly seed: number,
    private readonly position: number,
    fraction: number,
  ) {
    this.#allowed = new Uint8Array(position);
    this.#count = Math.max(1, Math.round(fraction * position));
  }

  /** 1 for each predictor that the tree of this round may use; valid until the next draw. */
  draw(round: number): Uint8Array {
    const allowed = this.#allowed;
    const block = this.#block;
    const keyLow = this.seed % 2 ** 32;
    const keyHigh = Math.floor(this.seed / 2 ** 32);
    let needed = this.#count;
    for (let predictor = 0; predictor < allowed.length; predictor++) {
      const lane = predictor & 3;
      if (lane === 0) philox4x32(block, predictor >>> 2, round, this.position, Purpose.features, keyLow, keyHigh);
      const chosen = block[lane]! * 2 ** -32 * (allowed.length - predictor) < needed;
      allowed[predictor] = chosen ? 1 : 0;
      if (chosen) needed--;
    }
    return allowed;
  }
}
