import { exp, log1p } from '@orchard/numerics';
import { missOf, softened, sumListed, sumOf, takeListed } from './listed-sums.js';
import type { MixedDesign } from './mixed-design.js';
import type { MixedWeights, Tying } from './mixed-weights.js';

const LEAST_VARIANCE = 1e-5;
const MOST_STEPS = 100;
const MOST_PASSES = 1000;
const MOST_HALVINGS = 30;
/** Of a curvature: where intercepts leave less of it they are left alone. */
const LEAST_LEFT = 1e-9;

/**
 * One target on its way down the penalties, as in fit-path.ts, under all components. Feature j < predictors is the
 * shared weight of predictor j, feature predictors + j × components + h the own one of component h. Sums over a
 * component's groups are kept as there: Σ u_j w is twice that over the list less that over all, with an offset for each
 * component.
 */
export class MixedDescent {
  private common = 0;
  private readonly intercepts: Float64Array;
  private readonly coefficients: Float64Array;
  private readonly logOdds: Float64Array;
  private readonly residuals: Float64Array;
  private readonly variances: Float64Array;
  /** Of each component the sums of these. */
  private readonly residual: Float64Array;
  private readonly variance: Float64Array;
  private loss = 0;
  /** Of the loss, downwards, by each feature. */
  private readonly slopes: Float64Array;
  /** Σ of the variances over each list. */
  private readonly listed: Float64Array;
  private readonly isTried: Uint8Array;
  // of the square that touches: residual of group k of component h is left[k] - offset[h] variances[k], of all of them
  // whole[h] - offset[h] variance[h]
  private readonly left: Float64Array;
  private readonly whole: Float64Array;
  private readonly offset: Float64Array;

  constructor(
    private readonly design: MixedDesign,
    private readonly tying: Tying,
  ) {
    const { predictors, components, trials } = design;
    const features = predictors * (components + 1);
    this.intercepts = new Float64Array(components);
    this.residual = new Float64Array(components);
    this.variance = new Float64Array(components);
    this.whole = new Float64Array(components);
    this.offset = new Float64Array(components);
    this.coefficients = new Float64Array(features);
    this.slopes = new Float64Array(features);
    this.isTried = new Uint8Array(features);
    this.listed = new Float64Array(predictors * components);
    this.logOdds = new Float64Array(trials.length);
    this.residuals = new Float64Array(trials.length);
    this.variances = new Float64Array(trials.length);
    this.left = new Float64Array(trials.length);
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
    intercepts.forEach((own, h) => (most = Math.max(most, times * missOf(own, residual[h]!, interceptPenalty))));
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
      tried.forEach((feature, at) => (coefficients[feature] = valueAt(1 + intercepts.length + at)));
      this.evaluate();
    };
    const before = cost();
    const old = take();
    this.descend(tried, penalty, interceptPenalty, goal);
    const found = take();
    for (let halving = 0, share = 1; halving < MOST_HALVINGS; halving++, share /= 2) {
      put((at) => (share === 1 ? found[at]! : old[at]! + share * (found[at]! - old[at]!)));
      if (cost() < before) return true;
    }
    put((at) => old[at]!);
    return false;
  }

  /** Coordinate descent on the square: passes over what is tried, in between over the weights that are not 0. */
  private descend(tried: Uint32Array, penalty: number, interceptPenalty: number, goal: number): void {
    const { coefficients, left, residuals, whole, residual, offset } = this;
    left.set(residuals);
    whole.set(residual);
    offset.fill(0);
    let settled = 0.3 * goal;
    for (let passes = 0; passes < MOST_PASSES;) {
      const most = this.pass(tried, penalty, interceptPenalty);
      if (passes++ === 0) settled = Math.max(settled, 0.1 * most);
      if (most <= settled) return;
      const active = tried.filter((feature) => coefficients[feature] !== 0);
      while (passes++ < MOST_PASSES && this.pass(active, penalty, interceptPenalty) > settled);
    }
  }

  /** @returns the most by which a slope was off */
  private pass(features: Uint32Array, penalty: number, interceptPenalty: number): number {
    const { intercepts, variance, offset } = this;
    const { predictors, components } = this.design;
    let most = 0;
    if (this.tying === 'auto') {
      const curvature = sumOf(variance);
      let slope = 0;
      for (let h = 0; h < components; h++) slope += this.allOf(h);
      const change = softened(this.common * curvature + slope, interceptPenalty) / curvature - this.common;
      most = (Math.abs(change) * curvature * penalty) / interceptPenalty;
      this.common += change;
      for (let h = 0; h < components; h++) offset[h]! += change;
    }
    for (let h = 0; h < components; h++) {
      const curvature = variance[h]!;
      if (curvature === 0) continue;
      const moved = softened(intercepts[h]! * curvature + this.allOf(h), interceptPenalty) / curvature;
      most = Math.max(most, (Math.abs(moved - intercepts[h]!) * curvature * penalty) / interceptPenalty);
      offset[h]! += moved - intercepts[h]!;
      intercepts[h] = moved;
    }
    for (const feature of features)
      most = Math.max(
        most,
        feature < predictors
          ? this.moveShared(feature, penalty, interceptPenalty)
          : this.moveOwn(feature, penalty, interceptPenalty),
      );
    return most;
  }

  /** Residuals of a component, summed, on the square. */
  private allOf(h: number): number {
    return this.whole[h]! - this.offset[h]! * this.variance[h]!;
  }

  /** Slope of the square along predictor j of component h, at `j * components + h`. */
  private slopeOf(at: number, h: number): number {
    const { starts, members, signs } = this.design;
    const listed = sumListed(members, starts[at]!, starts[at + 1]!, this.left) - this.offset[h]! * this.listed[at]!;
    return signs[at]! * (2 * listed - this.allOf(h));
  }

  private move(at: number, h: number, change: number): void {
    const { starts, members, signs } = this.design;
    const own = signs[at]! * change;
    this.whole[h]! -= 2 * own * this.listed[at]!;
    this.offset[h]! -= own;
    takeListed(members, starts[at]!, starts[at + 1]!, this.left, this.variances, 2 * own);
  }

  /** Mean of predictor j, weighed by the variances of component h. */
  private meanOf(at: number, h: number): number {
    const variance = this.variance[h]!;
    return variance === 0 ? 0 : (this.design.signs[at]! * (2 * this.listed[at]! - variance)) / variance;
  }

  /** An own weight, along with the component's own intercept, as if columns were centred. */
  private moveOwn(feature: number, penalty: number, interceptPenalty: number): number {
    const { coefficients, intercepts, offset } = this;
    const { predictors, components } = this.design;
    const at = feature - predictors;
    const h = at % components;
    let curvature = this.variance[h]!;
    if (curvature === 0) return 0;
    const own = coefficients[feature]!;
    const mean = this.meanOf(at, h);
    let slope = this.slopeOf(at, h);
    const side = Math.sign(intercepts[h]!);
    const isJoint = side !== 0 && 1 - mean * mean > LEAST_LEFT;
    if (isJoint) {
      slope -= mean * (this.allOf(h) - side * interceptPenalty);
      curvature *= 1 - mean * mean;
    }
    let change = softened(own * curvature + slope, penalty) / curvature - own;
    if (change === 0) return 0;
    if (isJoint) {
      change *= shareTo0(intercepts[h]!, -change * mean);
      intercepts[h]! -= change * mean;
      offset[h]! -= change * mean;
    }
    coefficients[feature] = own + change;
    this.move(at, h, change);
    return Math.abs(change) * curvature;
  }

  /** A shared weight, along with the common intercept; where there is none, with those of the components. */
  private moveShared(feature: number, penalty: number, interceptPenalty: number): number {
    const { coefficients, intercepts, offset, variance } = this;
    const { components } = this.design;
    const first = feature * components;
    const own = coefficients[feature]!;
    let [slope, curvature] = [0, 0];
    for (let h = 0; h < components; h++) {
      slope += this.slopeOf(first + h, h);
      curvature += variance[h]!;
    }
    const shifts = new Float64Array(components);
    let change: number;
    if (this.tying === 'auto') {
      let [mean, all] = [0, 0];
      for (let h = 0; h < components; h++) {
        mean += this.meanOf(first + h, h) * variance[h]!;
        all += this.allOf(h);
      }
      mean /= curvature;
      const side = Math.sign(this.common);
      const isJoint = side !== 0 && 1 - mean * mean > LEAST_LEFT;
      if (isJoint) {
        slope -= mean * (all - side * interceptPenalty);
        curvature *= 1 - mean * mean;
      }
      change = softened(own * curvature + slope, penalty) / curvature - own;
      if (change === 0) return 0;
      if (isJoint) {
        change *= shareTo0(this.common, -change * mean);
        this.common -= change * mean;
        shifts.fill(-change * mean);
      }
    } else {
      const all = curvature;
      const means = new Float64Array(components);
      let [joint, taken] = [0, 0];
      for (let h = 0; h < components; h++) {
        const side = Math.sign(intercepts[h]!);
        if (side === 0) continue;
        const mean = (means[h] = this.meanOf(first + h, h));
        joint += mean * (this.allOf(h) - side * interceptPenalty);
        taken += variance[h]! * mean * mean;
      }
      const isJoint = all - taken > LEAST_LEFT * all;
      if (isJoint) {
        slope -= joint;
        curvature -= taken;
      }
      change = softened(own * curvature + slope, penalty) / curvature - own;
      if (change === 0) return 0;
      if (isJoint) {
        let share = 1;
        means.forEach((mean, h) => (share = Math.min(share, shareTo0(intercepts[h]!, -change * mean))));
        change *= share;
        means.forEach((mean, h) => {
          shifts[h] = -change * mean;
          intercepts[h]! += shifts[h]!;
        });
      }
    }
    coefficients[feature] = own + change;
    for (let h = 0; h < components; h++) {
      offset[h]! += shifts[h]!;
      this.move(first + h, h, change);
    }
    return Math.abs(change) * curvature;
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
        const odds = (logOdds[group]! += base);
        const rows = trials[group]!;
        const small = exp(-Math.abs(odds));
        const rare = small / (1 + small);
        loss += rows * (log1p(small) + (odds > 0 ? odds : 0)) - ones[group]! * odds;
        left += residuals[group] = ones[group]! - rows * (odds > 0 ? 1 - rare : rare);
        spread += variances[group] = rows * Math.max(rare * (1 - rare), LEAST_VARIANCE);
      }
      this.loss += loss;
      residual[h] = left;
      variance[h] = spread;
    }
  }
}

/** How much of a shift an intercept may take before its penalty turns: beyond 0 the rest is for the next pass. */
function shareTo0(intercept: number, shift: number): number {
  return shift !== 0 && Math.abs(intercept) > 0 && intercept * (intercept + shift) < 0 ? -intercept / shift : 1;
}
