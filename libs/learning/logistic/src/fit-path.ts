import { exp, log1p } from '@orchard/numerics';
import type { Design } from './design.js';
import { missOf, softened, sumListed } from './listed-sums.js';
import type { LogisticWeights } from './logistic-weights.js';
import { logOddsInto } from './loss.js';
import { TouchingSquare } from './touching-square.js';

export interface PathOptions {
  /** λ of the weights over that of the intercept (thesis 5.5). @default 10 */
  readonly interceptScaling?: number;
  /** By what share of λ a slope may miss what it is at the minimum. @default 0.01 */
  readonly tolerance?: number;
}

/** What a row may weigh least in a step: where all is decided there would be nothing to go by. */
const LEAST_VARIANCE = 1e-5;
const MOST_STEPS = 100;
const MOST_PASSES = 1000;
const MOST_HALVINGS = 30;
/** To how much of what they missed slopes have to come by a step, that its square is used again. */
const LEAST_GAIN = 0.3;

/**
 * The weights that minimize Σ_n log(1 + exp(-y_n (a_0 + aᵀ x_n))) + (λ / scaling) |a_0| + λ |a|_1, y and x as ±1
 * (Goessling's thesis, 5.2.3), for one λ after the other, each from the weights before it.
 *
 * Coordinate descent on squares that touch the loss (Friedman, Hastie, Tibshirani 2010). Predictors are tried that the
 * strong rules keep (Tibshirani and others 2012), and all are held against the condition of a minimum at the end:
 * |slope| <= λ where a weight is 0, slope = λ sign where not, to `tolerance` λ. Nothing but + - * / and this project's
 * exp and log: the same bits everywhere.
 *
 * @param penalties λ, positive, descending
 */
export function* fitPath(
  design: Design,
  penalties: readonly number[],
  { interceptScaling = 10, tolerance = 0.01 }: PathOptions = {},
): Generator<LogisticWeights, void, undefined> {
  const descent = new Descent(design);
  let before: number | null = null;
  for (const penalty of penalties) {
    descent.settle(penalty, penalty / interceptScaling, tolerance, before);
    before = penalty;
    yield descent.weights;
  }
}

/**
 * One target on its way down the penalties. A weight of predictor j stands for x_j as its list has it (`Design`): u_j
 * is 1 for the groups that are listed, -1 for the others. So all curvatures are the same, Σ w u² = Σ w, and a sum over
 * u_j w is twice that over the list less that over all groups.
 */
export class Descent {
  private intercept = 0;
  private readonly coefficients: Float64Array;
  private readonly logOdds: Float64Array;
  /** Of each group: ones less what is expected, and its variance. */
  private readonly residuals: Float64Array;
  private readonly variances: Float64Array;
  private residual = 0;
  private loss = 0;
  /** Of the loss, downwards, by each predictor. */
  private readonly slopes: Float64Array;
  private readonly isTried: Uint8Array;
  /** Whether weights moved many times on the last square. */
  private wasLong = false;

  /** @param offsets of the log-odds of each group: they may be changed, `evaluate` follows */
  constructor(
    private readonly design: Design,
    private readonly offsets: Float64Array | null = null,
  ) {
    const groups = design.trials.length;
    const { predictors } = design;
    this.coefficients = new Float64Array(predictors);
    this.slopes = new Float64Array(predictors);
    this.isTried = new Uint8Array(predictors);
    this.logOdds = new Float64Array(groups);
    this.residuals = new Float64Array(groups);
    this.variances = new Float64Array(groups);
    this.evaluate();
  }

  get weights(): LogisticWeights {
    const { signs } = this.design;
    const predictors = Uint32Array.from(this.coefficients.keys()).filter((column) => this.coefficients[column] !== 0);
    const weights = Float64Array.from(predictors, (column) => signs[column]! * this.coefficients[column]!);
    return { intercept: this.intercept, predictors, weights };
  }

  /** The same slopes, another intercept; nothing is known of the loss there until `evaluate`. */
  shift(by: number): void {
    this.intercept += by;
  }

  /** @param before the λ whose minimum is at hand; null where none is */
  settle(penalty: number, interceptPenalty: number, tolerance: number, before: number | null): void {
    const { coefficients, slopes, isTried } = this;
    const { predictors } = this.design;
    // a slope moves by less than λ does, mostly
    const promising = before === null ? Infinity : 2 * penalty - before;
    for (let column = 0; column < predictors; column++)
      isTried[column] = coefficients[column] !== 0 || Math.abs(slopes[column]!) >= promising ? 1 : 0;
    for (;;) {
      const tried = Uint32Array.from(isTried.keys()).filter((column) => isTried[column] === 1);
      this.settleTried(tried, penalty, interceptPenalty, tolerance * penalty);
      if (!this.addPredictors(penalty * (1 + tolerance))) return;
    }
  }

  /**
   * Steps until no slope of what is tried misses by more than the goal. A square with products is dear, so it is used
   * again where the loss is elsewhere by now, as long as that serves.
   */
  private settleTried(tried: Uint32Array, penalty: number, interceptPenalty: number, goal: number): void {
    let square: TouchingSquare | null = null;
    let before = Infinity;
    for (let step = 0; step < MOST_STEPS; step++) {
      this.takeSlopes(tried);
      const missed = this.misses(tried, penalty, interceptPenalty);
      if (missed <= goal) return;
      const isUsedAgain: boolean = square?.isCheap === true && missed <= LEAST_GAIN * before;
      if (!isUsedAgain) square = new TouchingSquare(this.design, tried, this.variances, this.wasLong);
      const hasFallen = this.step(square!, penalty, interceptPenalty, goal);
      this.wasLong = square!.isCheap;
      if (!hasFallen && !isUsedAgain) return;
      before = hasFallen ? missed : 0;
    }
  }

  /** Slopes of all predictors that were not tried; those are added that are too steep. @returns whether any is */
  private addPredictors(steepest: number): boolean {
    const { isTried, slopes, residuals, residual } = this;
    const { starts, members } = this.design;
    let isAdded = false;
    for (let column = 0; column < isTried.length; column++) {
      if (isTried[column] === 1) continue;
      const slope = 2 * sumListed(members, starts[column]!, starts[column + 1]!, residuals) - residual;
      slopes[column] = slope;
      if (Math.abs(slope) <= steepest) continue;
      isTried[column] = 1;
      isAdded = true;
    }
    return isAdded;
  }

  private takeSlopes(tried: Uint32Array): void {
    const { slopes, residuals, residual } = this;
    const { starts, members } = this.design;
    for (const column of tried)
      slopes[column] = 2 * sumListed(members, starts[column]!, starts[column + 1]!, residuals) - residual;
  }

  /** The most by which a slope misses what it is at the minimum; the intercept's counts by its own penalty. */
  private misses(tried: Uint32Array, penalty: number, interceptPenalty: number): number {
    const { coefficients, slopes } = this;
    let most = (missOf(this.intercept, this.residual, interceptPenalty) * penalty) / interceptPenalty;
    for (const column of tried) most = Math.max(most, missOf(coefficients[column]!, slopes[column]!, penalty));
    return most;
  }

  /**
   * To the minimum of the square that touches the loss here, or as far on the way to it as the loss falls. @returns
   * whether it fell
   *
   * @param goal slopes of the square are settled to less than this, or to a tenth of what they were
   */
  private step(square: TouchingSquare, penalty: number, interceptPenalty: number, goal: number): boolean {
    const { coefficients } = this;
    const { tried } = square;
    const oldIntercept = this.intercept;
    const old = Float64Array.from(tried, (column) => coefficients[column]!);
    const cost = (): number => {
      let size = 0;
      for (const column of tried) size += Math.abs(coefficients[column]!);
      return this.loss + penalty * size + interceptPenalty * Math.abs(this.intercept);
    };
    const before = cost();
    square.touch(this.residuals);
    this.descend(square, penalty, interceptPenalty, goal);
    const newIntercept = this.intercept;
    const found = Float64Array.from(tried, (column) => coefficients[column]!);
    for (let halving = 0, share = 1; halving < MOST_HALVINGS; halving++, share /= 2) {
      if (halving > 0) {
        this.intercept = oldIntercept + share * (newIntercept - oldIntercept);
        tried.forEach((column, at) => (coefficients[column] = old[at]! + share * (found[at]! - old[at]!)));
      }
      this.evaluate();
      if (cost() < before) return true;
    }
    this.intercept = oldIntercept;
    tried.forEach((column, at) => (coefficients[column] = old[at]!));
    this.evaluate();
    return false;
  }

  /** Coordinate descent on the square: passes over what is tried, in between over the weights that are not 0. */
  private descend(square: TouchingSquare, penalty: number, interceptPenalty: number, goal: number): void {
    const { coefficients } = this;
    const { tried, listed, variance } = square;
    // residual of group k: what is left - offset variances[k], and of all: whole - offset variance
    let whole = this.residual;
    let offset = 0;
    const pass = (places: Uint32Array): number => {
      square.reconsider();
      const moved = softened(this.intercept * variance + whole - offset * variance, interceptPenalty) / variance;
      let most = (Math.abs(moved - this.intercept) * variance * penalty) / interceptPenalty;
      offset += moved - this.intercept;
      this.intercept = moved;
      for (const place of places) {
        const column = tried[place]!;
        const own = coefficients[column]!;
        const mean = (2 * listed[place]! - variance) / variance;
        const all = whole - offset * variance;
        let slope = 2 * (square.sumAt(place) - offset * listed[place]!) - all;
        let curvature = variance;
        // along with the intercept, as if columns were centred: that of a rare value is nearly the intercept's
        const side = Math.sign(this.intercept);
        const isJoint = side !== 0 && Math.abs(mean) < 1;
        if (isJoint) {
          slope -= mean * (all - side * interceptPenalty);
          curvature *= 1 - mean * mean;
        }
        let change = softened(own * curvature + slope, penalty) / curvature - own;
        if (change === 0) continue;
        let shift = isJoint ? -change * mean : 0;
        if (isJoint && (this.intercept + shift) * side <= 0) {
          // beyond 0 the intercept's penalty turns: so far, the rest is for the next pass
          const share = -this.intercept / shift;
          change *= share;
          shift = -this.intercept;
        }
        coefficients[column] = own + change;
        this.intercept += shift;
        whole -= 2 * change * listed[place]!;
        offset += shift - change;
        square.takeAt(place, 2 * change);
        most = Math.max(most, Math.abs(change) * curvature);
      }
      return most;
    };
    // by how much a slope of the square misses
    const missed = (): number => {
      const all = whole - offset * variance;
      let most = (missOf(this.intercept, all, interceptPenalty) * penalty) / interceptPenalty;
      tried.forEach((column, place) => {
        const slope = 2 * (square.sumAt(place) - offset * listed[place]!) - all;
        most = Math.max(most, missOf(coefficients[column]!, slope, penalty));
      });
      return most;
    };
    const everywhere = Uint32Array.from(tried.keys());
    let settled = 0.3 * goal;
    let near = settled;
    for (let passes = 0; passes < MOST_PASSES;) {
      const most = pass(everywhere);
      if (passes++ === 0) near = settled = Math.max(settled, 0.1 * most);
      if (most <= settled) {
        if (!square.isCheap) return;
        if (missed() <= near) return;
        settled /= 4;
      }
      const active = everywhere.filter((place) => coefficients[tried[place]!] !== 0);
      while (passes++ < MOST_PASSES && pass(active) > settled);
    }
  }

  /** Log-odds, residuals, variances and the loss of the weights at hand. */
  evaluate(): void {
    const { logOdds, residuals, variances, offsets } = this;
    const { trials, ones } = this.design;
    logOddsInto(this.design, this.weights, logOdds);
    if (offsets !== null) for (let group = 0; group < logOdds.length; group++) logOdds[group]! += offsets[group]!;
    let loss = 0;
    let residual = 0;
    for (let group = 0; group < logOdds.length; group++) {
      const odds = logOdds[group]!;
      const rows = trials[group]!;
      const small = exp(-Math.abs(odds));
      const rare = small / (1 + small);
      loss += rows * (log1p(small) + (odds > 0 ? odds : 0)) - ones[group]! * odds;
      residual += residuals[group] = ones[group]! - rows * (odds > 0 ? 1 - rare : rare);
      variances[group] = rows * Math.max(rare * (1 - rare), LEAST_VARIANCE);
    }
    this.loss = loss;
    this.residual = residual;
  }
}
