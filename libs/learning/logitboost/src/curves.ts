import type { LogLikelihoods } from '@orchard/kernel';

/** Summed log-likelihoods (nats) of one dimension after 0, 1, ... rounds; null for a split that there is not. */
export interface Curves {
  readonly train: Float64Array;
  readonly valid: Float64Array | null;
  readonly test: Float64Array | null;
}

/** Curves that are being drawn, point by point. */
export class CurveRecorder {
  readonly #train: Float64Array;
  readonly #valid: Float64Array | null;
  readonly #test: Float64Array | null;
  #points = 0;
  #bestRound = 0;

  constructor(rounds: number, splits: { valid: boolean; test: boolean }) {
    this.#train = new Float64Array(rounds + 1);
    this.#valid = splits.valid ? new Float64Array(rounds + 1) : null;
    this.#test = splits.test ? new Float64Array(rounds + 1) : null;
  }

  push({ train, valid, test }: LogLikelihoods): void {
    const round = this.#points++;
    this.#train[round] = train;
    if (this.#test !== null) this.#test[round] = test;
    if (this.#valid === null) return;
    this.#valid[round] = valid;
    if (valid > this.#valid[this.#bestRound]!) this.#bestRound = round;
  }

  /** The round of the largest validation likelihood so far, the first among equals; 0 without validation rows. */
  get bestRound(): number {
    return this.#bestRound;
  }

  /** Views on what has been drawn. */
  curves(): Curves {
    return {
      train: this.#train.subarray(0, this.#points),
      valid: this.#valid?.subarray(0, this.#points) ?? null,
      test: this.#test?.subarray(0, this.#points) ?? null,
    };
  }
}
