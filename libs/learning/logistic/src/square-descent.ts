import { KeptSquare } from './kept-square.js';
import { missOf, softened } from './listed-sums.js';
import type { TouchingSquare } from './touching-square.js';

const MOST_PASSES = 1000;
/** To how much of what the first pass moved slopes are settled, where a square is touched again soon. */
const SETTLED = 0.1;
const SETTLED_KEPT = 0.3;

/** Weights on their way: what moves on the square. */
export interface Point {
  intercept: number;
  readonly coefficients: Float64Array;
}

/** From the point where a square touches the loss towards the minimum of the square with its penalties. */
export class SquareDescent {
  // residual of group k: what is left - offset variances[k], and of all: whole - offset variance
  private offset = 0;

  /**
   * @param point moved
   * @param whole residuals of all groups where it touches, summed
   */
  constructor(
    private readonly square: TouchingSquare | KeptSquare,
    private readonly point: Point,
    private whole: number,
    private readonly penalties: { readonly penalty: number; readonly interceptPenalty: number },
  ) {}

  /**
   * Coordinate descent: passes over what is tried, in between over the weights that are not 0. A kept square, whose
   * products are there, has those go all at once in between.
   *
   * @param goal slopes of the square are settled to less than this, or to a share of what they were
   */
  settle(goal: number): void {
    const { square, point } = this;
    const isKept = square instanceof KeptSquare;
    const everywhere = Uint32Array.from(square.tried.keys());
    const activeOf = (places: Uint32Array): Uint32Array =>
      places.filter((place) => point.coefficients[square.tried[place]!] !== 0);
    let settled = 0.3 * goal;
    let near = settled;
    for (let passes = 0; passes < MOST_PASSES;) {
      const most = this.pass(everywhere);
      if (passes === 0) {
        settled = Math.max(settled, (isKept ? SETTLED_KEPT : SETTLED) * most);
        near = settled;
      }
      passes++;
      if (most <= settled) {
        if (!square.isCheap) return;
        if (this.missed() <= near) return;
        settled /= 4;
      }
      const active = activeOf(everywhere);
      if (isKept) {
        this.pass(active);
        this.leap(square, activeOf(active), 0.3 * near);
        this.pass(active);
        passes += 2;
        continue;
      }
      while (passes++ < MOST_PASSES && this.pass(active) > settled);
    }
  }

  /** @returns the most by which a slope was off */
  private pass(places: Uint32Array): number {
    const { square, point } = this;
    const { penalty, interceptPenalty } = this.penalties;
    const { tried, listed, variance } = square;
    const { coefficients } = point;
    square.reconsider();
    let { whole, offset } = this;
    const moved = softened(point.intercept * variance + whole - offset * variance, interceptPenalty) / variance;
    let most = (Math.abs(moved - point.intercept) * variance * penalty) / interceptPenalty;
    offset += moved - point.intercept;
    let intercept = moved;
    for (const place of places) {
      const column = tried[place]!;
      const own = coefficients[column]!;
      const mean = (2 * listed[place]! - variance) / variance;
      const all = whole - offset * variance;
      let slope = 2 * (square.sumAt(place) - offset * listed[place]!) - all;
      let curvature = variance;
      // along with the intercept, as if columns were centred: that of a rare value is nearly the intercept's
      const side = Math.sign(intercept);
      const isJoint = side !== 0 && Math.abs(mean) < 1;
      if (isJoint) {
        slope -= mean * (all - side * interceptPenalty);
        curvature *= 1 - mean * mean;
      }
      let change = softened(own * curvature + slope, penalty) / curvature - own;
      if (change === 0) continue;
      let shift = isJoint ? -change * mean : 0;
      if (isJoint && (intercept + shift) * side <= 0) {
        // beyond 0 the intercept's penalty turns: so far, the rest is for the next pass
        const share = -intercept / shift;
        change *= share;
        shift = -intercept;
      }
      coefficients[column] = own + change;
      intercept += shift;
      whole -= 2 * change * listed[place]!;
      offset += shift - change;
      square.takeAt(place, 2 * change);
      most = Math.max(most, Math.abs(change) * curvature);
    }
    point.intercept = intercept;
    this.whole = whole;
    this.offset = offset;
    return most;
  }

  /** By how much a slope of the square misses. */
  private missed(): number {
    const { square, point } = this;
    const { penalty, interceptPenalty } = this.penalties;
    let most = (missOf(point.intercept, this.all, interceptPenalty) * penalty) / interceptPenalty;
    square.tried.forEach((column, place) => {
      most = Math.max(most, missOf(point.coefficients[column]!, this.slopeAt(place), penalty));
    });
    return most;
  }

  /**
   * To where all slopes of these places, whose weights are not 0, would be what they are at the minimum; what comes to
   * its 0 on the way stays there. If the square does not fall by that, as far as no weight comes to 0.
   */
  private leap(kept: KeptSquare, places: Uint32Array, near: number): void {
    const { point } = this;
    const { penalty, interceptPenalty } = this.penalties;
    const { tried, listed, variance } = kept;
    const side = Math.sign(point.intercept);
    const slopes = (): Float64Array => Float64Array.from(places, (place) => this.slopeAt(place));
    const meanOf = (place: number): number => (side === 0 ? 0 : (2 * listed[place]! - variance) / variance);
    const from = { intercept: point.intercept, all: this.all, slopes: slopes() };
    const weights = Float64Array.from(places, (place) => point.coefficients[tried[place]!]!);
    const left = side === 0 ? 0 : from.all - side * interceptPenalty;
    const wanted = from.slopes.map(
      (slope, at) => slope - meanOf(places[at]!) * left - penalty * Math.sign(weights[at]!),
    );
    const changes = kept.solve(places, wanted, side !== 0, near);
    const shift = changes.reduce((sum, change, at) => sum - change * meanOf(places[at]!), left / variance);

    const clipped = (weight: number, change: number): number => (weight * (weight + change) <= 0 ? 0 : weight + change);
    const found = changes.map((change, at) => clipped(weights[at]!, change));
    this.moveTo(kept, places, found, clipped(from.intercept, shift));
    // a square falls by what its slopes are in the middle, times the way
    const way = point.intercept - from.intercept;
    let fall = way * ((from.all + this.all) / 2 - interceptPenalty * side);
    slopes().forEach((slope, at) => {
      const middle = (from.slopes[at]! + slope) / 2 - penalty * Math.sign(weights[at]!);
      fall += (found[at]! - weights[at]!) * middle;
    });
    if (fall > 0) return;
    let share = 1;
    for (const [at, change] of [...changes, shift].entries()) {
      const weight = at < weights.length ? weights[at]! : from.intercept;
      if (weight * (weight + change) < 0) share = Math.min(share, -weight / change);
    }
    const nearer = weights.map((weight, at) => weight + share * changes[at]!);
    this.moveTo(kept, places, nearer, from.intercept + share * shift);
  }

  private moveTo(kept: KeptSquare, places: Uint32Array, weights: Float64Array, intercept: number): void {
    const { coefficients } = this.point;
    const { tried, listed } = kept;
    let sum = 0;
    places.forEach((place, at) => {
      const column = tried[place]!;
      const change = weights[at]! - coefficients[column]!;
      if (change === 0) return;
      coefficients[column] = weights[at]!;
      this.whole -= 2 * change * listed[place]!;
      sum += change;
      kept.takeAt(place, 2 * change);
    });
    this.offset += intercept - this.point.intercept - sum;
    this.point.intercept = intercept;
  }

  /** Residuals of all groups on the square, summed: the intercept's slope. */
  private get all(): number {
    return this.whole - this.offset * this.square.variance;
  }

  private slopeAt(place: number): number {
    const { square } = this;
    return 2 * (square.sumAt(place) - this.offset * square.listed[place]!) - this.all;
  }
}
