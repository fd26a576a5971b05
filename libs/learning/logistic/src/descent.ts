import { exp, log1p, sumOf } from '@orchard/numerics';
import type { Design } from './design.js';
import { KeptSquare } from './kept-square.js';
import { missOf, softened, sumListed } from './listed-sums.js';
import type { LogisticWeights } from './logistic-weights.js';
import { logOddsInto } from './loss.js';
import { SquareDescent } from './square-descent.js';
import { TouchingSquare } from './touching-square.js';

/** What a row may weigh least in a step: where all is decided there would be nothing to go by. */
const LEAST_VARIANCE = 1e-5;
const MOST_STEPS = 100;
const MOST_HALVINGS = 30;
/** To how much of what they missed slopes have to come by a step, that its square is used again. */
const LEAST_GAIN = 0.3;
/** From so many predictors on a square is kept with all of its products, up to so many columns of it. */
const WIDE = 256;
const MOST_KEPT = 2048;
/** The same as `LEAST_GAIN` of a kept square, which is dearer beside the steps on it. */
const LEAST_KEPT_GAIN = 0.5;
/** Columns that a kept square takes up at once, at least; else as many as it has. */
const FEWEST_ADDED = 32;

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
  /** Of a target with many predictors, once there is one. */
  private kept: KeptSquare | null = null;

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
    if (predictors >= WIDE && this.settleWide(penalty, interceptPenalty, tolerance * penalty)) return;
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

  /**
   * The same on a square that is kept: it has the columns whose weights are not 0 or whose slopes missed, and is taken
   * anew where a step on it gains too little.
   *
   * @returns whether it was: not where too many columns are needed
   */
  private settleWide(penalty: number, interceptPenalty: number, goal: number): boolean {
    const all = Uint32Array.from({ length: this.design.predictors }, (_, column) => column);
    let before = Infinity;
    for (let step = 0; step < MOST_STEPS; step++) {
      this.takeSlopes(all);
      if (this.misses(all, penalty, interceptPenalty) <= goal) return true;
      const isNew: boolean =
        this.kept === null || this.misses(this.kept.tried, penalty, interceptPenalty) > LEAST_KEPT_GAIN * before;
      if (isNew) {
        this.kept = new KeptSquare(this.design, this.variances);
        this.kept.add(Array.from(all.filter((column) => this.coefficients[column] !== 0)));
      }
      const square = this.kept!;
      this.addSteepest(square, penalty + goal);
      if (square.tried.length > MOST_KEPT) {
        this.kept = null;
        return false;
      }
      before = Math.max(goal, this.misses(square.tried, penalty, interceptPenalty));
      const hasFallen = this.step(square, penalty, interceptPenalty, goal);
      this.settleIntercept(interceptPenalty, 0.1 * goal);
      if (!hasFallen && isNew) return true;
      if (!hasFallen) before = 0;
    }
    return true;
  }

  /** Newton's steps of the intercept alone, as long as its slope comes nearer to what it is at the minimum. */
  private settleIntercept(penalty: number, goal: number): void {
    const { logOdds } = this;
    let missed = missOf(this.intercept, this.residual, penalty);
    while (missed > goal) {
      const variance = sumOf(this.variances);
      const moved = softened(this.intercept * variance + this.residual, penalty) / variance;
      const by = moved - this.intercept;
      for (let group = 0; group < logOdds.length; group++) logOdds[group]! += by;
      this.intercept = moved;
      this.evaluateOdds();
      const left = missOf(this.intercept, this.residual, penalty);
      if (left < missed / 2) {
        missed = left;
        continue;
      }
      if (left >= missed) {
        this.intercept -= by;
        this.evaluate();
      }
      return;
    }
  }

  /** Adds the columns that are steeper to a square, the steepest first: at most as many as it has. */
  private addSteepest(square: KeptSquare, steepest: number): void {
    const { slopes } = this;
    const steep: number[] = [];
    slopes.forEach((slope, column) => {
      if (Math.abs(slope) > steepest && !square.has(column)) steep.push(column);
    });
    if (steep.length === 0) return;
    steep.sort((a, b) => Math.abs(slopes[b]!) - Math.abs(slopes[a]!) || a - b);
    square.add(steep.slice(0, Math.max(FEWEST_ADDED, square.tried.length)).sort((a, b) => a - b));
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
  private step(square: TouchingSquare | KeptSquare, penalty: number, interceptPenalty: number, goal: number): boolean {
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
    square.touch(this.residuals, this.variances);
    const point = { intercept: oldIntercept, coefficients };
    new SquareDescent(square, point, this.residual, { penalty, interceptPenalty }).settle(goal);
    this.intercept = point.intercept;
    const newIntercept = this.intercept;
    const found = Float64Array.from(tried, (column) => coefficients[column]!);
    for (let halving = 0, share = 1; halving < MOST_HALVINGS; halving++, share /= 2) {
      if (halving > 0) {
        this.intercept = oldIntercept + share * (newIntercept - oldIntercept);
        tried.forEach((column, at) => {
          coefficients[column] = old[at]! + share * (found[at]! - old[at]!);
        });
      }
      this.evaluate();
      if (cost() < before) return true;
    }
    this.intercept = oldIntercept;
    tried.forEach((column, at) => {
      coefficients[column] = old[at]!;
    });
    this.evaluate();
    return false;
  }

  /** Log-odds, residuals, variances and the loss of the weights at hand. */
  evaluate(): void {
    const { logOdds, offsets } = this;
    logOddsInto(this.design, this.weights, logOdds);
    if (offsets !== null) for (let group = 0; group < logOdds.length; group++) logOdds[group]! += offsets[group]!;
    this.evaluateOdds();
  }

  private evaluateOdds(): void {
    const { logOdds, residuals, variances } = this;
    const { trials, ones } = this.design;
    let loss = 0;
    let residual = 0;
    for (let group = 0; group < logOdds.length; group++) {
      const odds = logOdds[group]!;
      const rows = trials[group]!;
      const small = exp(-Math.abs(odds));
      const rare = small / (1 + small);
      loss += rows * (log1p(small) + (odds > 0 ? odds : 0)) - ones[group]! * odds;
      residuals[group] = ones[group]! - rows * (odds > 0 ? 1 - rare : rare);
      residual += residuals[group]!;
      variances[group] = rows * Math.max(rare * (1 - rare), LEAST_VARIANCE);
    }
    this.loss = loss;
    this.residual = residual;
  }
}
