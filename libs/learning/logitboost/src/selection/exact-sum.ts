/**
 * Sums of one value per dimension that depend neither on the order of the additions nor on the path by which a model
 * was reached, so that equal models have equal likelihoods, bit for bit, and ties are ties.
 *
 * Every value is split into a multiple of a coarse unit and a remainder on a fine one; both units are so large that the
 * sums of all dimensions stay below 2^52 units, where additions of doubles are exact (the rule of the kernel's grid,
 * twice). A curve's value is kept without any loss when it is above 2^-38 of the bound for up to 1,000 dimensions
 * (2^-34 for 10,000); below that, what is lost is under 2^-86 of the bound.
 */
export class SumGrid {
  readonly #coarse: number;
  readonly #fine: number;

  /**
   * @param bound - the sum over the dimensions of the largest magnitude that each of them can add
   * @param dimensions - how many values a sum holds
   */
  constructor(bound: number, dimensions: number) {
    // room for the intermediate "minus the old, plus the new" and for the rounding of every value
    const exponent = exponentAbove(bound) + 2;
    this.#coarse = 1.5 * 2 ** exponent;
    // a remainder is at most half a coarse unit, 2^(exponent - 53); as many of them as there are dimensions must fit
    this.#fine = 1.5 * 2 ** (exponent - 51 + exponentAbove(dimensions));
  }

  /** The part of `value` on the coarse unit: adding and subtracting the large constant rounds to it. */
  coarse(value: number): number {
    return value + this.#coarse - this.#coarse;
  }

  /** The part of `value` that {@link coarse} leaves, on the fine unit. */
  fine(value: number): number {
    return value - this.coarse(value) + this.#fine - this.#fine;
  }
}

/** A running sum on a {@link SumGrid}; adding and taking away the same value leaves it as it was. */
export class ExactSum {
  #coarse = 0;
  #fine = 0;

  constructor(private readonly grid: SumGrid) {}

  add(value: number): void {
    this.#coarse += this.grid.coarse(value);
    this.#fine += this.grid.fine(value);
  }

  subtract(value: number): void {
    this.#coarse -= this.grid.coarse(value);
    this.#fine -= this.grid.fine(value);
  }

  /** Takes over the state of another sum on the same grid. */
  copy(other: ExactSum): void {
    this.#coarse = other.#coarse;
    this.#fine = other.#fine;
  }

  /** Negative, zero or positive as this sum is below, equal to or above `other`: the sign is exact. */
  compare(other: ExactSum): number {
    return this.#coarse - other.#coarse + (this.#fine - other.#fine);
  }

  /** The sum, rounded once. */
  get value(): number {
    return this.#coarse + this.#fine;
  }
}

/** The smallest `e` with `2^e >= x`, by comparison alone (no logarithm of the host); 0 for x below 1. */
function exponentAbove(x: number): number {
  let exponent = 0;
  for (let power = 1; power < x; power *= 2) exponent += 1;
  return exponent;
}
