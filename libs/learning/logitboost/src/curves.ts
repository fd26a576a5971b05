import type { LogLikelihoods } from '@orchard/kernel';

/** Summed log-likelihoods (nats) of one dimension after 0, 1, ... rounds; null for a split that there is not. */
export interface Curves {
  readonly train: Float64Array;
  readonly valid: Float64Array | null;
  readonly test: Float64Array | null;
}

/** Most targets have far fewer rounds than they may, and a table has thousands of targets. */
const FIRST_POINTS = 64;

/** Curves that are being drawn, point by point. */
export class CurveRecorder {
  #train: Float64Array;
  #valid: Float64Array | null;
  #test: Float64Array | null;
  #points = 0;
  #bestRound = 0;

  constructor(rounds: number, splits: { valid: boolean; test: boolean }) {
    const points = Math.min(rounds + 1, FIRST_POINTS);
    this.#train = new Float64Array(points);
    this.#valid = splits.valid ? new Float64Array(points) : null;
    this.#test = splits.test ? new Float64Array(points) : null;
  }

  push({ train, valid, test }: LogLikelihoods): void {
    const round = this.#points++;
    if (round === this.#train.length) this.#makeRoom();
    this.#train[round] = train;
    if (this.#test !== null) this.#test[round] = test;
    if (this.#valid === null) return;
    this.#valid[round] = valid;
    if (valid > this.#valid[this.#bestRound]!) this.#bestRound = round;
  }

  #makeRoom(): void {
    const grown = (points: Float64Array): Float64Array => {
      const larger = new Float64Array(2 * points.length);
      larger.set(points);
      return larger;
    };
    this.#train = grown(this.#train);
    this.#valid &&= grown(this.#valid);
    this.#test &&= grown(this.#test);
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
