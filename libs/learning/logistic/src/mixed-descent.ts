import { exp, log1p, sumOf } from '@orchard/numerics';
import { missOf, sumListed } from './listed-sums.js';
import type { MixedDesign } from './mixed-design.js';
import { type MixedPoint, MixedSquare } from './mixed-square.js';
import type { MixedWeights, Tying } from './mixed-weights.js';

const LEAST_VARIANCE = 1e-5;
const MOST_STEPS = 100;
const MOST_HALVINGS = 30;

/**
 * One target on its way down the penalties, as in fit-path.ts, under all components. Feature j < predictors is the
 * shared weight of predictor j, feature predictors + j × components + h the own one of component h. Sums over a
 * component's groups are kept as there: Σ u_j w is twice that over the list less that over all, with an offset for each
 * component.
 */
export class MixedDescent implements MixedPoint {
  common = 0;
  readonly intercepts: Float64Array;
  readonly coefficients: Float64Array;
  private readonly logOdds: Float64Array;
  readonly residuals: Float64Array;
  readonly variances: Float64Array;
  /** Of each component the sums of these. */
  readonly residual: Float64Array;
  readonly variance: Float64Array;
  private loss = 0;
  /** Of the loss, downwards, by each feature. */
  private readonly slopes: Float64Array;
  /** Σ of the variances over each list. */
  readonly listed: Float64Array;
  private readonly isTried: Uint8Array;
  private readonly square: MixedSquare;

  constructor(
    private readonly design: MixedDesign,
    private readonly tying: Tying,
  ) {
    const { predictors, components, trials } = design;
    const features = predictors * (components + 1);
    this.intercepts = new Float64Array(components);
    this.residual = new Float64Array(components);
    this.variance = new Float64Array(components);
    this.coefficients = new Float64Array(features);
    this.slopes = new Float64Array(features);
    this.isTried = new Uint8Array(features);
    this.listed = new Float64Array(predictors * components);
    this.logOdds = new Float64Array(trials.length);
    this.residuals = new Float64Array(trials.length);
    this.variances = new Float64Array(trials.length);
    this.square = new MixedSquare(design, tying, this);
    this.evaluate();
  }

  get weights(): MixedWeights {
    const { coefficients, design, common } = this;
    const { predictors, components } = design;
    const shared: number[] = [];
    const own: number[] = [];
    coefficients.forEach((weight, feature) => {
      if (weight !== 0) (feature < predictors ? shared : own).push(feature);
    });
    const weightOf = (feature: number): number => coefficients[feature]!;
    return {
      intercept: common,
      intercepts: this.intercepts.slice(),
      predictors: Uint32Array.from(shared),
      weights: Float64Array.from(shared, weightOf),
      own: {
        components: Uint32Array.from(own, (feature) => (feature - predictors) % components),
        predictors: Uint32Array.from(own, (feature) => Math.floor((feature - predictors) / components)),
        weights: Float64Array.from(own, weightOf),
      },
    };
  }

  /** @param before the λ whose minimum is at hand; null where none is */
  settle(penalty: number, interceptPenalty: number, tolerance: number, before: number | null): void {
    const { coefficients, slopes, isTried } = this;
    if (before === null) this.takeSlopes();
    const promising = before === null ? penalty : 2 * penalty - before;
    const [from, to] = this.free;
    for (let feature = from; feature < to; feature++)
      isTried[feature] = coefficients[feature] !== 0 || Math.abs(slopes[feature]!) >= promising ? 1 : 0;
    for (;;) {
      const tried = Uint32Array.from(isTried.keys()).filter((feature) => isTried[feature] === 1);
      for (let step = 0; step < MOST_STEPS; step++) {
        this.takeSlopes(step > 0 || before !== null ? tried : null);
        if (this.misses(tried, penalty, interceptPenalty) <= tolerance * penalty) break;
        if (!this.step(tried, penalty, interceptPenalty, tolerance * penalty)) break;
      }
      this.takeSlopes();
      let isAdded = false;
      for (let feature = from; feature < to; feature++) {
        if (isTried[feature] === 1 || Math.abs(slopes[feature]!) <= penalty * (1 + tolerance)) continue;
        isTried[feature] = 1;
        isAdded = true;
      }
      if (!isAdded) return;
    }
  }

  /** The features that this tying has: from, to before. */
  private get free(): readonly [number, number] {
    const { predictors } = this.design;
    const all = this.coefficients.length;
    return this.tying === 'auto' ? [0, all] : this.tying === 'tied' ? [0, predictors] : [predictors, all];
  }

  /** Slopes and listed variances of these features; of all where none are named. */
  private takeSlopes(tried: Uint32Array | null = null): void {
    const { design, slopes, residuals, variances, residual, listed } = this;
    const { predictors, components, starts, members, signs } = design;
    const ownSlope = (at: number): number => {
      listed[at] = sumListed(members, starts[at]!, starts[at + 1]!, variances);
      return (
        signs[at]! * (2 * sumListed(members, starts[at]!, starts[at + 1]!, residuals) - residual[at % components]!)
      );
    };
    if (tried === null) {
      slopes.fill(0, 0, predictors);
      for (let at = 0; at < predictors * components; at++) {
        const slope = ownSlope(at);
        slopes[predictors + at] = slope;
        slopes[Math.floor(at / components)]! += slope;
      }
      return;
    }
    for (const feature of tried) {
      if (feature >= predictors) {
        slopes[feature] = ownSlope(feature - predictors);
        continue;
      }
      let sum = 0;
      for (let at = feature * components; at < (feature + 1) * components; at++) sum += ownSlope(at);
      slopes[feature] = sum;
    }
  }

  /** The most by which a slope misses what it is at the minimum; those of intercepts count by their own penalty. */
  private misses(tried: Uint32Array, penalty: number, interceptPenalty: number): number {
    const { coefficients, slopes, residual, intercepts } = this;
    const times = penalty / interceptPenalty;
    let most = this.tying === 'auto' ? times * missOf(this.common, sumOf(residual), interceptPenalty) : 0;
    intercepts.forEach((own, h) => {
      most = Math.max(most, times * missOf(own, residual[h]!, interceptPenalty));
    });
    for (const feature of tried) most = Math.max(most, missOf(coefficients[feature]!, slopes[feature]!, penalty));
    return most;
  }

  /**
   * As in fit-path.ts: to the minimum of the square, or as far on the way to it as the loss falls.
   *
   * @returns whether it fell
   */
  private step(tried: Uint32Array, penalty: number, interceptPenalty: number, goal: number): boolean {
    const { coefficients, intercepts } = this;
    const cost = (): number => {
      let size = 0;
      for (const feature of tried) size += Math.abs(coefficients[feature]!);
      let offsets = Math.abs(this.common);
      for (const own of intercepts) offsets += Math.abs(own);
      return this.loss + penalty * size + interceptPenalty * offsets;
    };
    const take = (): Float64Array =>
      Float64Array.of(this.common, ...intercepts, ...Array.from(tried, (feature) => coefficients[feature]!));
    const put = (valueAt: (at: number) => number): void => {
      this.common = valueAt(0);
      for (let h = 0; h < intercepts.length; h++) intercepts[h] = valueAt(1 + h);
      tried.forEach((feature, at) => {
        coefficients[feature] = valueAt(1 + intercepts.length + at);
      });
      this.evaluate();
    };
    const before = cost();
    const old = take();
    this.square.settle(tried, penalty, interceptPenalty, goal);
    const found = take();
    for (let halving = 0, share = 1; halving < MOST_HALVINGS; halving++, share /= 2) {
      put((at) => (share === 1 ? found[at]! : old[at]! + share * (found[at]! - old[at]!)));
      if (cost() < before) return true;
    }
    put((at) => old[at]!);
    return false;
  }

  /** Log-odds, residuals, variances and the loss of the weights at hand. */
  private evaluate(): void {
    const { logOdds, residuals, variances, residual, variance, coefficients } = this;
    const { trials, ones, firsts, predictors, components, starts, members, signs } = this.design;
    this.loss = 0;
    for (let h = 0; h < components; h++) {
      const [from, to] = [firsts[h]!, firsts[h + 1]!];
      let base = this.common + this.intercepts[h]!;
      logOdds.fill(0, from, to);
      for (let column = 0; column < predictors; column++) {
        const at = column * components + h;
        const weight = signs[at]! * (coefficients[column]! + coefficients[predictors + at]!);
        if (weight === 0) continue;
        base -= weight;
        for (let member = starts[at]!; member < starts[at + 1]!; member++) logOdds[members[member]!]! += 2 * weight;
      }
      let [loss, left, spread] = [0, 0, 0];
      for (let group = from; group < to; group++) {
        logOdds[group]! += base;
        const odds = logOdds[group]!;
        const rows = trials[group]!;
        const small = exp(-Math.abs(odds));
        const rare = small / (1 + small);
        loss += rows * (log1p(small) + (odds > 0 ? odds : 0)) - ones[group]! * odds;
        residuals[group] = ones[group]! - rows * (odds > 0 ? 1 - rare : rare);
        left += residuals[group]!;
        variances[group] = rows * Math.max(rare * (1 - rare), LEAST_VARIANCE);
        spread += variances[group]!;
      }
      this.loss += loss;
      residual[h] = left;
      variance[h] = spread;
    }
  }
}
