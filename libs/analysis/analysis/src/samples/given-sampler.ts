import { valuesOf, type BitMatrix, type Restriction, type Texts } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import type { RowSource } from './sampled-rows.js';

/** Particles a row where what is given does not come first in the ordering. */
export const PARTICLES_GIVEN = 64;

/** Samples rows that fit what is given, and learns from them how rare such rows are. */
export class GivenSampler implements RowSource {
  #rows = 0;
  #shares = 0;
  #least = Infinity;
  #isExact = true;

  constructor(
    private readonly model: TabularModel,
    private readonly seed: number,
    private readonly given: ReadonlyMap<number, Restriction>,
  ) {}

  next(count: number): BitMatrix {
    const nothing = this.model.emptyRows(count);
    const { matrix, exact, effectiveSampleSize, logEvidence } = this.model.completions(nothing, nothing, {
      seed: this.seed,
      samples: PARTICLES_GIVEN,
      draws: 1,
      given: this.given,
      blanksAs: 'drawn',
      firstRow: this.#rows,
    })[0]!;
    if (this.#rows === 0) this.#isExact = exact[0] === 1;
    this.#shares = logEvidence.reduce((sum, nats) => sum + Math.exp(nats), this.#shares);
    this.#least = effectiveSampleSize.reduce((least, size) => Math.min(least, size), this.#least);
    this.#rows += count;
    return matrix;
  }

  wordsOf(codes: BitMatrix, firstRow: number): Texts {
    return valuesOf(codes, this.model.table, this.seed, this.given, new Map(), firstRow);
  }

  /** The share of all rows that are like those that were sampled so far. */
  get share(): number {
    return this.#shares / this.#rows;
  }

  /** The least of what a row's particles are worth, in independent ones; of exact rows as the model says. */
  get effectiveSampleSize(): number {
    return this.#least;
  }

  /** The same; null where rows are exact. */
  get leastEffectiveSampleSize(): number | null {
    return this.#isExact ? null : this.#least;
  }

  /** What is said of the rows that were sampled so far. */
  remarks(): string[] {
    const share = `${(100 * this.share).toPrecision(3)} % of all rows are like that`;
    const least = this.leastEffectiveSampleSize;
    if (least === null) return [share];
    const worth = `worth at least ${least.toFixed(1)} independent ones`;
    return [share, `each row from ${String(PARTICLES_GIVEN)} particles, ${worth}`];
  }
}
