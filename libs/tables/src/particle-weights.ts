import { exp, log } from '@orchard/numerics';

/** Below this share of its particles, the effective sample size of a row has it resampled. */
const RESAMPLED_BELOW = 0.5;

/**
 * The weights of the particles of several rows: who weighs how much, when they are resampled, and what the weights say of the
 * probability of all that was observed.
 */
export class ParticleWeights {
  /** Particles of all rows together, those of a row side by side. */
  readonly count: number;
  /** Of each row: log of the estimated probability of what was observed so far. */
  readonly logEvidence: Float64Array;
  readonly #starts: Uint32Array;
  /** Normalized: those of a row sum to 1. */
  readonly #weights: Float64Array;
  /** Which particle each one comes from, as they were when the row first had different ones. */
  readonly #ancestors: Uint32Array;
  readonly #variance: Float64Array;
  readonly #isSplit: Uint8Array;

  constructor(counts: readonly number[]) {
    this.#starts = new Uint32Array(counts.length + 1);
    counts.forEach((count, row) => (this.#starts[row + 1] = this.#starts[row]! + count));
    this.count = this.#starts[counts.length]!;
    this.logEvidence = new Float64Array(counts.length);
    this.#variance = new Float64Array(counts.length);
    this.#isSplit = new Uint8Array(counts.length);
    this.#weights = new Float64Array(this.count);
    this.#ancestors = new Uint32Array(this.count);
    counts.forEach((count, row) => {
      this.#weights.fill(1 / count, this.#starts[row]!, this.#starts[row + 1]!);
      for (let at = 0; at < count; at++) this.#ancestors[this.#starts[row]! + at] = at;
    });
  }

  /** The first particle of a row. */
  start(row: number): number {
    return this.#starts[row]!;
  }

  /**
   * Weighs the particles of a row by what they say of an observation, and resamples them where few are left that matter.
   *
   * @param nats log-probability of the observation, by particle
   * @param wasDrawn whether the particles may differ from here on
   * @returns for each particle of the row the one (from 0, in the row) whose state it takes; null where none moves
   */
  weigh(row: number, nats: Float64Array, uniform: () => number, wasDrawn: boolean): Uint32Array | null {
    const [from, to] = [this.#starts[row]!, this.#starts[row + 1]!];
    const weights = this.#weights;
    let highest = -Infinity;
    for (let at = from; at < to; at++) if (nats[at]! > highest) highest = nats[at]!;
    let sum = 0;
    let squares = 0;
    for (let at = from; at < to; at++) {
      const factor = exp(nats[at]! - highest);
      squares += weights[at]! * factor * factor;
      sum += weights[at]! *= factor;
    }
    this.logEvidence[row]! += highest + log(sum);
    // the relative variance of the mean of the factors
    this.#variance[row]! += Math.max(0, squares / (sum * sum) - 1) / (to - from);
    let effective = 0;
    for (let at = from; at < to; at++) {
      weights[at]! /= sum;
      effective += weights[at]! ** 2;
    }
    const size = 1 / effective;
    if (wasDrawn) this.#isSplit[row] = 1;
    if (this.#isSplit[row] === 0 || size >= RESAMPLED_BELOW * (to - from)) return null;
    return this.#resample(from, to, uniform());
  }

  /** One particle of the row, in proportion to its weight. */
  choose(row: number, uniform: number): number {
    const [from, to] = [this.#starts[row]!, this.#starts[row + 1]!];
    let rest = uniform;
    for (let at = from; at < to; at++) {
      rest -= this.#weights[at]!;
      if (rest < 0) return at;
    }
    return to - 1; // only rounding can leave a rest
  }

  /** How many of the particles that a row began with its weights are still worth: 1 / Σ (weight of each ancestor's offspring)². */
  effectiveSize(row: number): number {
    const [from, to] = [this.#starts[row]!, this.#starts[row + 1]!];
    const shares = new Float64Array(to - from);
    for (let at = from; at < to; at++) shares[this.#ancestors[at]!]! += this.#weights[at]!;
    return 1 / shares.reduce((sum, share) => sum + share * share, 0);
  }

  /** Standard error of {@link logEvidence}, nats, from the spread of the weights. */
  evidenceError(row: number): number {
    return Math.sqrt(this.#variance[row]!);
  }

  /** Systematic: one number for all, each particle kept about as often as its weight says. */
  #resample(from: number, to: number, uniform: number): Uint32Array {
    const count = to - from;
    const sources = new Uint32Array(count);
    const ancestors = this.#ancestors.slice(from, to);
    let source = 0;
    let below = this.#weights[from]!;
    for (let at = 0; at < count; at++) {
      const mark = (at + uniform) / count;
      while (mark >= below && source < count - 1) below += this.#weights[from + ++source]!;
      sources[at] = source;
    }
    sources.forEach((chosen, at) => (this.#ancestors[from + at] = ancestors[chosen]!));
    this.#weights.fill(1 / count, from, to);
    return sources;
  }
}
