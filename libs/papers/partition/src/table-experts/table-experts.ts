import { gaussianBelow, gaussianDensity, sumOf } from '@orchard/numerics';
import type { TableClasses } from './code-classes.js';
import { MARGIN, MOST_EXPERTISE } from '../levels.js';

/** V variables, K experts, C classes of all variables. */
export interface TableExpertParts {
  /** π: how probable it is that expert k takes part. */
  readonly active: Float64Array;
  /** e: the level of expertise of expert k in variable v: `expertise[k * V + v]`. */
  readonly expertise: Float64Array;
  /** P(class) where expert k alone answers for the variable: `shares[k * C + firsts[v] + class]`. */
  readonly shares: Float64Array;
  /** μ: of the numbers of variable v, alike; 0 where it has none. */
  readonly means: Float64Array;
  /** v: of these numbers, above 0; 1 where the variable has none. */
  readonly variances: Float64Array;
}

/**
 * Experts of a table's variables, each with a template and an area of expertise (thesis, 4.4). Those that take part in
 * a row share each variable out by their levels of expertise, r_k = e_k / Σ e: a class has Σ r_k P_k(class), and
 * numbers a Gaussian of the mean μ = Σ r_k μ_k and the variance Σ r_k (v_k + (μ_k - μ)²). Immutable.
 */
export class TableExperts implements TableExpertParts {
  readonly active: Float64Array;
  readonly expertise: Float64Array;
  readonly shares: Float64Array;
  readonly means: Float64Array;
  readonly variances: Float64Array;
  /** Σ e and the mean of the variable that was composed last. */
  #composed = { whole: 1, mean: 0, variance: 1 };

  /** @throws RangeError where a number is not in its range, or there are not as many as there should be */
  constructor(
    readonly classes: TableClasses,
    { active, expertise, shares, means, variances }: TableExpertParts,
  ) {
    const cells = active.length * this.classes.variables.length;
    const all = active.length * this.classes.classes;
    if (
      active.length === 0 ||
      shares.length !== all ||
      [expertise, means, variances].some((own) => own.length !== cells)
    )
      throw new RangeError(`${String(shares.length)} shares of ${String(active.length)} experts`);
    if (!active.every((p) => p >= MARGIN && p <= 1 - MARGIN))
      throw new RangeError('a probability that is not between 2^-50 and 1 - 2^-50');
    if (!expertise.every((level) => level >= 1 / MOST_EXPERTISE && level <= MOST_EXPERTISE))
      throw new RangeError('a level of expertise that is not between 2^-20 and 2^20');
    if (!means.every(Number.isFinite) || !variances.every((variance) => variance > 0 && variance < Infinity))
      throw new RangeError('a mean that is none, or a variance');
    this.active = active;
    this.expertise = expertise;
    this.shares = shares;
    this.means = means;
    this.variances = variances;
    for (let expert = 0; expert < active.length; expert++)
      this.classes.variables.forEach((_, index) => {
        const own = this.sharesOf(expert, index);
        const sum = sumOf(own);
        if (!own.every((share) => share >= 0) || Math.abs(sum - 1) > 1e-6)
          throw new RangeError('shares that do not sum to 1');
      });
  }

  get count(): number {
    return this.active.length;
  }

  /** P(class) of a variable's classes, of one expert. */
  sharesOf(expert: number, index: number): Float64Array {
    const { firsts, classes } = this.classes;
    return this.shares.subarray(expert * classes + firsts[index]!, expert * classes + firsts[index + 1]!);
  }

  /** P(code) of a variable where these experts take part, at least one. */
  probability(experts: readonly number[], index: number, code: number): number {
    const own = this.classes.variables[index]!;
    const share = this.#compose(experts, index, own.classOf(code));
    if (code >= own.cells) return own.spread(share);
    const { mean, variance } = this.#composed;
    const deviation = Math.sqrt(variance);
    const below = gaussianBelow((own.from(code) - mean) / deviation);
    return own.spread(share * (gaussianBelow((own.to(code) - mean) / deviation) - below));
  }

  /** P(code) of all codes of a variable, alike: to `probabilities[offset + step * code]`. */
  composeInto(experts: readonly number[], index: number, probabilities: Float64Array, offset: number, step = 1): void {
    const own = this.classes.variables[index]!;
    for (let code = own.cells; code < own.codes; code++)
      probabilities[offset + step * code] = own.spread(this.#compose(experts, index, own.classOf(code)));
    if (own.cells === 0) return;
    const share = this.#compose(experts, index, 0);
    const { mean, variance } = this.#composed;
    let below = 0;
    for (let code = 0; code < own.cells; code++) {
      const above = gaussianBelow((own.to(code) - mean) / Math.sqrt(variance));
      probabilities[offset + step * code] = own.spread(share * (above - below));
      below = above;
    }
  }

  /**
   * e_k d log P(code) / d e_k (4.6.2, of a cell instead of a point) of each of the experts that take part: added to
   * `slopes[k * V + index]`.
   */
  addSlopes(experts: readonly number[], index: number, code: number, slopes: Float64Array): void {
    const own = this.classes.variables[index]!;
    const ofClass = own.classOf(code);
    const share = this.#compose(experts, index, ofClass);
    const { whole, mean, variance } = this.#composed;
    let [within, byMean, byVariance] = [1, 0, 0];
    if (code < own.cells) {
      const deviation = Math.sqrt(variance);
      const [from, to] = [(own.from(code) - mean) / deviation, (own.to(code) - mean) / deviation];
      within = gaussianBelow(to) - gaussianBelow(from);
      byMean = (densityAt(from) - densityAt(to)) / deviation;
      byVariance = (momentAt(from) - momentAt(to)) / (2 * variance);
    }
    const scale = own.slope / own.spread(share * within);
    for (const expert of experts) {
      const at = expert * this.classes.variables.length + index;
      const distance = this.means[at]! - mean;
      const ofShare = (this.sharesOf(expert, index)[ofClass]! - share) * within;
      const ofNumber = byMean * distance + byVariance * (this.variances[at]! - variance + distance ** 2);
      slopes[at]! += scale * (this.expertise[at]! / whole) * (ofShare + share * ofNumber);
    }
  }

  /** Mean and variance of the numbers of a variable, and Σ e, of these experts. @returns P(class) */
  #compose(experts: readonly number[], index: number, ofClass: number): number {
    const { classes, firsts, variables } = this.classes;
    const composed = this.#composed;
    let [whole, share, mean, variance] = [0, 0, 0, 0];
    for (const expert of experts) {
      const at = expert * variables.length + index;
      const level = this.expertise[at]!;
      whole += level;
      share += level * this.shares[expert * classes + firsts[index]! + ofClass]!;
      mean += level * this.means[at]!;
    }
    mean /= whole;
    for (const expert of experts) {
      const at = expert * variables.length + index;
      variance += this.expertise[at]! * (this.variances[at]! + (this.means[at]! - mean) ** 2);
    }
    composed.whole = whole;
    composed.mean = mean;
    composed.variance = variance / whole;
    return share / whole;
  }
}

function densityAt(x: number): number {
  return Math.abs(x) < Infinity ? gaussianDensity(x) : 0;
}

/** x φ(x). */
function momentAt(x: number): number {
  return Math.abs(x) < Infinity ? x * gaussianDensity(x) : 0;
}
