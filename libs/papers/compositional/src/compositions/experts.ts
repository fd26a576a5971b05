/** How the templates of the experts that are active make one. */
// files say which by its number here
export const compositions = [
  ...(['max-minus-min', 'max', 'log-odds'] as const),
  ...(['noisy-or', 'sum-of-odds', 'mean', 'normalized-sum'] as const),
];

export type Composition = (typeof compositions)[number];

/** Whether experts only turn columns on, and abstain by saying 0 (thesis, 3.1.1), or nearly. */
export function isAsymmetric(composition: Composition): boolean {
  return composition === 'max' || composition === 'noisy-or' || composition === 'sum-of-odds';
}

/** Whether the most extreme opinion alone counts (thesis, 3.1), so that it is known which expert is responsible. */
export function isExtremal(composition: Composition): boolean {
  return composition === 'max-minus-min' || composition === 'max';
}

/** What keeps a probability from 0 and 1, so that rounding never makes it one of them. */
export const MARGIN = 2 ** -50;

/** Templates of Bernoulli probabilities, each switched on by itself, composed by a rule (thesis, 3.1). */
export interface ExpertParts {
  readonly composition: Composition;
  readonly dimensions: number;
  /** q: what an expert says that abstains, and what a column is under where none is active. */
  readonly abstaining: number;
  /** P(expert k is active). */
  readonly active: Float64Array;
  /** What expert k says of column d: `rates[k * dimensions + d]`. */
  readonly rates: Float64Array;
}

/** ε of eq. 3.1: a Beta(ε, ε) prior of every template's probabilities. */
export const EPSILON = 1;

/**
 * q of a composition. Templates that were learned from N rows say at least ε / (N + 2 ε), so that of asymmetric rules
 * this q differs from the thesis' 0 only where no expert is active, whose rows would have to be all 0.
 */
export function abstainingOf(composition: Composition, rows: number): number {
  return isAsymmetric(composition) ? EPSILON / (rows + 2 * EPSILON) : 1 / 2;
}

/** Experts that fit together. Immutable. */
export class Experts implements ExpertParts {
  readonly composition: Composition;
  readonly dimensions: number;
  readonly abstaining: number;
  readonly active: Float64Array;
  readonly rates: Float64Array;

  /** @throws RangeError where a number is not a probability, or there are not as many as there should be */
  constructor({ composition, dimensions, abstaining, active, rates }: ExpertParts) {
    const isOpen = (p: number): boolean => p >= MARGIN && p <= 1 - MARGIN;
    if (active.length === 0 || rates.length !== active.length * dimensions)
      throw new RangeError(`${String(rates.length)} rates of ${String(active.length)} experts`);
    if (!isOpen(abstaining) || !active.every(isOpen) || !rates.every(isOpen))
      throw new RangeError('a probability that is not between 2^-50 and 1 - 2^-50');
    if (isAsymmetric(composition) && !rates.every((rate) => rate >= abstaining))
      throw new RangeError('a rate below what the experts say that abstain');
    this.composition = composition;
    this.dimensions = dimensions;
    this.abstaining = abstaining;
    this.active = active;
    this.rates = rates;
  }

  get count(): number {
    return this.active.length;
  }

  /** What an expert says of every column. */
  template(expert: number): Float64Array {
    return this.rates.subarray(expert * this.dimensions, (expert + 1) * this.dimensions);
  }

  /** The experts as the pursuit sees them: of asymmetric rules they say nothing of the background (thesis, 3.2). */
  truncated(): Experts {
    if (!isAsymmetric(this.composition)) return this;
    return new Experts({ ...this.parts(), abstaining: 1 / 2, rates: this.rates.map((rate) => Math.max(1 / 2, rate)) });
  }

  parts(): ExpertParts {
    const { composition, dimensions, abstaining, active, rates } = this;
    return { composition, dimensions, abstaining, active, rates };
  }
}
