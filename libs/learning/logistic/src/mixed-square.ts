import { sumOf } from '@orchard/numerics';
import { leapOf, type Signed } from './mixed-leap.js';
import { softened, sumListed, takeListed } from './listed-sums.js';
import type { MixedDesign } from './mixed-design.js';
import type { Tying } from './mixed-weights.js';

const MOST_PASSES = 1000;
/** After so many passes over weights that are not 0 all of them go together, and again after as many. */
const LONG = 16;
/** Of a curvature: where intercepts leave less of it they are left alone. */
const LEAST_LEFT = 1e-9;

/** Weights of a target, and the loss where a square touches it. */
export interface MixedPoint {
  common: number;
  readonly intercepts: Float64Array;
  /** Of features: those that are shared, then own ones by predictor and component. */
  readonly coefficients: Float64Array;
  /** Of each group: ones less what is expected, and its variance. */
  readonly residuals: Float64Array;
  readonly variances: Float64Array;
  /** Of each component the sums of these. */
  readonly residual: Float64Array;
  readonly variance: Float64Array;
  /** Σ of the variances over each list. */
  readonly listed: Float64Array;
}

/**
 * The square that touches the loss of `MixedDescent`, and coordinate descent on it. Residual of group k of component h
 * is left[k] - offset[h] variances[k], of all of them whole[h] - offset[h] variance[h].
 */
export class MixedSquare {
  private readonly intercepts: Float64Array;
  private readonly coefficients: Float64Array;
  private readonly variances: Float64Array;
  private readonly variance: Float64Array;
  private readonly listed: Float64Array;
  private readonly left: Float64Array;
  private readonly whole: Float64Array;
  private readonly offset: Float64Array;

  /** @param point moved by `settle` */
  constructor(
    private readonly design: MixedDesign,
    private readonly tying: Tying,
    private readonly point: MixedPoint,
  ) {
    const { intercepts, coefficients, variances, variance, listed } = point;
    this.intercepts = intercepts;
    this.coefficients = coefficients;
    this.variances = variances;
    this.variance = variance;
    this.listed = listed;
    this.left = new Float64Array(design.trials.length);
    this.whole = new Float64Array(design.components);
    this.offset = new Float64Array(design.components);
  }

  /**
   * From where it touches to its minimum with penalties: passes over these features, in between over those whose
   * weights are not 0, and where such passes are many a leap of all of them.
   *
   * @param goal slopes of the square are settled to less than this, or to a tenth of what they were
   */
  settle(tried: Uint32Array, penalty: number, interceptPenalty: number, goal: number): void {
    const { coefficients, left, whole, offset } = this;
    left.set(this.point.residuals);
    whole.set(this.point.residual);
    offset.fill(0);
    let settled = 0.3 * goal;
    for (let passes = 0; passes < MOST_PASSES;) {
      const most = this.pass(tried, penalty, interceptPenalty);
      if (passes++ === 0) settled = Math.max(settled, 0.1 * most);
      if (most <= settled) return;
      const active = tried.filter((feature) => coefficients[feature] !== 0);
      let own = 0;
      while (passes++ < MOST_PASSES && this.pass(active, penalty, interceptPenalty) > settled) {
        if (++own % LONG > 0) continue;
        if (this.tying === 'auto') this.balance();
        this.leap(active, penalty, interceptPenalty, settled);
      }
    }
  }

  /**
   * What is common becomes as much as makes all penalties least while the sums with what is own stay: a median of the
   * sums and 0. Descent by single weights goes along this valley of equal losses by less than a penalty a pass.
   */
  private balance(): void {
    const { intercepts, coefficients, point } = this;
    const { predictors, components } = this.design;
    const by = medianShift(point.common, intercepts);
    point.common += by;
    for (let h = 0; h < components; h++) intercepts[h]! -= by;
    for (let feature = 0; feature < predictors; feature++) {
      const first = predictors + feature * components;
      const own = coefficients.subarray(first, first + components);
      const shift = medianShift(coefficients[feature]!, own);
      if (shift === 0) continue;
      coefficients[feature]! += shift;
      for (let h = 0; h < components; h++) own[h]! -= shift;
    }
  }

  /** All weights that are not 0 together: to the minimum as if none came to 0, or as far as the square falls. */
  private leap(active: Uint32Array, penalty: number, interceptPenalty: number, near: number): void {
    const { design, tying, variances, variance, listed } = this;
    const from = this.signed(active, penalty, interceptPenalty);
    const changes = leapOf({ design, tying, variances, variance, listed }, from, near / penalty);
    const { weights, signs } = from;
    const clipped = weights.map((weight, at) => (weight * (weight + changes[at]!) <= 0 ? 0 : weight + changes[at]!));
    this.moveTo(active, clipped);
    const found = this.signed(active, penalty, interceptPenalty);
    // a square falls by what its slopes are in the middle, times the way; penalties by their sides
    let fall = 0;
    clipped.forEach((weight, at) => {
      const slope = from.slopes[at]! + found.slopes[at]! + found.penalties[at]! * (found.signs[at]! - signs[at]!);
      fall += ((weight - weights[at]!) * slope) / 2;
    });
    if (fall > 0) return;
    let share = 1;
    weights.forEach((weight, at) => {
      if (weight * (weight + changes[at]!) < 0) share = Math.min(share, -weight / changes[at]!);
    });
    this.moveTo(
      active,
      weights.map((weight, at) => weight + share * changes[at]!),
    );
  }

  /** The common intercept, those of components and these features: weights, and how far slopes are from a minimum. */
  private signed(active: Uint32Array, penalty: number, interceptPenalty: number): Signed {
    const { intercepts, coefficients, point } = this;
    const { predictors, components } = this.design;
    const weights = Float64Array.of(point.common, ...intercepts, ...Array.from(active, (own) => coefficients[own]!));
    const alls = intercepts.map((_, h) => this.allOf(h));
    const slopes = Float64Array.of(
      sumOf(alls),
      ...alls,
      ...Array.from(active, (feature) => {
        if (feature >= predictors) return this.slopeOf(feature - predictors, (feature - predictors) % components);
        let sum = 0;
        for (let h = 0; h < components; h++) sum += this.slopeOf(feature * components + h, h);
        return sum;
      }),
    );
    const penalties = slopes.map((_, at) => (at <= components ? interceptPenalty : penalty));
    const signs = weights.map(Math.sign);
    return {
      active,
      weights,
      signs,
      penalties,
      slopes: slopes.map((slope, at) => slope - penalties[at]! * signs[at]!),
    };
  }

  private moveTo(active: Uint32Array, weights: Float64Array): void {
    const { intercepts, coefficients, offset, point } = this;
    const { predictors, components } = this.design;
    for (let h = 0; h < components; h++) {
      offset[h]! += weights[0]! - point.common + (weights[1 + h]! - intercepts[h]!);
      intercepts[h] = weights[1 + h]!;
    }
    point.common = weights[0]!;
    active.forEach((feature, at) => {
      const weight = weights[1 + components + at]!;
      const change = weight - coefficients[feature]!;
      if (change === 0) return;
      coefficients[feature] = weight;
      if (feature >= predictors) {
        this.move(feature - predictors, (feature - predictors) % components, change);
        return;
      }
      for (let h = 0; h < components; h++) this.move(feature * components + h, h, change);
    });
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
      const change = softened(this.point.common * curvature + slope, interceptPenalty) / curvature - this.point.common;
      most = (Math.abs(change) * curvature * penalty) / interceptPenalty;
      this.point.common += change;
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
      const side = Math.sign(this.point.common);
      const isJoint = side !== 0 && 1 - mean * mean > LEAST_LEFT;
      if (isJoint) {
        slope -= mean * (all - side * interceptPenalty);
        curvature *= 1 - mean * mean;
      }
      change = softened(own * curvature + slope, penalty) / curvature - own;
      if (change === 0) return 0;
      if (isJoint) {
        change *= shareTo0(this.point.common, -change * mean);
        this.point.common -= change * mean;
        shifts.fill(-change * mean);
      }
    } else {
      const all = curvature;
      const means = new Float64Array(components);
      let [joint, taken] = [0, 0];
      for (let h = 0; h < components; h++) {
        const side = Math.sign(intercepts[h]!);
        if (side === 0) continue;
        const mean = this.meanOf(first + h, h);
        means[h] = mean;
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
        means.forEach((mean, h) => {
          share = Math.min(share, shareTo0(intercepts[h]!, -change * mean));
        });
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
}

/** How much of a shift an intercept may take before its penalty turns: beyond 0 the rest is for the next pass. */
function shareTo0(intercept: number, shift: number): number {
  return shift !== 0 && Math.abs(intercept) > 0 && intercept * (intercept + shift) < 0 ? -intercept / shift : 1;
}

/** By how much a common part has to change that |common| + Σ |own| is least while all common + own stay: the least. */
function medianShift(common: number, own: Float64Array): number {
  let [above, below] = [common < 0 ? 1 : 0, common > 0 ? 1 : 0];
  for (const value of own) {
    if (value > 0) above++;
    if (value < 0) below++;
  }
  if (2 * Math.max(above, below) <= own.length + 1) return 0;
  const sums = Float64Array.of(-common, ...own).sort();
  const middle = sums.length / 2;
  return above > below ? sums[Math.ceil(middle) - 1]! : sums[Math.floor(middle)]!;
}
