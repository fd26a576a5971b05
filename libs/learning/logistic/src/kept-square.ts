import { sumOf } from '@orchard/numerics';
import type { Design } from './design.js';
import { sumListed } from './listed-sums.js';

/** Columns whose products are taken at once: a list is then gone through once for all of them. */
const BLOCK = 4;
/** Of the variance: what a curvature counts at least. */
const LEAST_CURVATURE = 1e-9;
/** Steps of conjugate gradients at once: signs change where they are many, which they know nothing of. */
const MOST_GRADIENTS = 30;

/**
 * The square of `TouchingSquare` where a target has many predictors, with all of its products: kept while weights and λ
 * move on, its columns added as they are needed. Its variances are those of where it was taken, times what the
 * variances of all groups have become since: it touches the loss in its slopes and nearly in its curvature.
 */
export class KeptSquare {
  readonly isCheap = true;
  /** The columns, in the order in which they were added. */
  tried = new Uint32Array(0);
  /** Σ of the variances, over all groups and over each list, scaled as the products are. */
  variance = 0;
  listed = new Float64Array(0);
  private readonly placeOf: Int32Array;
  private readonly variances: Float64Array;
  private readonly whole: number;
  /** Of each two columns Σ of what their lists have in common, as the variances were taken: rows of `stride` places. */
  private products = new Float64Array(0);
  private stride = 0;
  private scale = 1;
  private sums = new Float64Array(0);
  /** Of a group its variance in each column of a block, 0 where it is not on the list. */
  private readonly spread: Float64Array;

  /** @param variances of each group; copied */
  constructor(
    private readonly design: Design,
    variances: Float64Array,
  ) {
    this.variances = variances.slice();
    this.spread = new Float64Array(BLOCK * variances.length);
    this.placeOf = new Int32Array(design.predictors).fill(-1);
    this.whole = sumOf(variances);
  }

  has(column: number): boolean {
    return this.placeOf[column]! >= 0;
  }

  /** O(columns added x columns x length of a list). */
  add(columns: readonly number[]): void {
    const { design, variances, placeOf, spread } = this;
    const { starts, members } = design;
    const first = this.tried.length;
    this.tried = Uint32Array.of(...this.tried, ...columns);
    columns.forEach((column, at) => {
      placeOf[column] = first + at;
    });
    this.reserve(first);
    const { tried, products, stride } = this;
    const found = new Float64Array(BLOCK);
    for (let from = first; from < tried.length; from += BLOCK) {
      const end = Math.min(tried.length, from + BLOCK);
      spread.fill(0);
      for (let place = from; place < end; place++)
        for (let at = starts[tried[place]!]!; at < starts[tried[place]! + 1]!; at++)
          spread[BLOCK * members[at]! + place - from] = variances[members[at]!]!;
      for (let other = 0; other < end; other++) {
        sumBlock(members, starts[tried[other]!]!, starts[tried[other]! + 1]!, spread, found);
        for (let place = from; place < end; place++) {
          products[place * stride + other] = found[place - from]!;
          products[other * stride + place] = found[place - from]!;
        }
      }
    }
  }

  /** Touches the loss where its residuals and variances are these. */
  touch(residuals: Float64Array, variances: Float64Array): void {
    const { products, stride } = this;
    const { starts, members } = this.design;
    const scale = sumOf(variances) / this.whole;
    this.scale = scale;
    this.variance = scale * this.whole;
    this.listed = Float64Array.from(this.tried, (_, place) => scale * products[place * (stride + 1)]!);
    this.sums = Float64Array.from(this.tried, (column) =>
      sumListed(members, starts[column]!, starts[column + 1]!, residuals),
    );
  }

  sumAt(place: number): number {
    return this.sums[place]!;
  }

  takeAt(place: number, times: number): void {
    const { sums, products } = this;
    const scaled = this.scale * times;
    const row = place * this.stride;
    for (let other = 0; other < sums.length; other++) sums[other]! -= scaled * products[row + other]!;
  }

  reconsider(): void {}

  /**
   * How the weights at these places have to change that their slopes become 0, by conjugate gradients; the intercept
   * follows, as if columns were centred, or stays where it is. O(places²) a step.
   *
   * @param slopes of those places
   * @param near ends where no slope is more than this
   */
  solve(places: Uint32Array, slopes: Float64Array, isCentred: boolean, near: number): Float64Array {
    const { products, stride, listed, variance, scale } = this;
    const count = places.length;
    const change = new Float64Array(count);
    const left = slopes.slice();
    const along = new Float64Array(count);
    const bent = new Float64Array(count);
    const whole = this.tried.length;
    const everywhere = new Float64Array(whole);
    // of a centred column: what a slope is divided by
    const curvature = Float64Array.from(places, (place) => {
      const own = listed[place]!;
      return isCentred ? Math.max(4 * (own - (own * own) / variance), LEAST_CURVATURE * variance) : variance;
    });
    let before = 0;
    for (let step = 0; step < MOST_GRADIENTS; step++) {
      let most = 0;
      let size = 0;
      for (let at = 0; at < count; at++) {
        most = Math.max(most, Math.abs(left[at]!));
        size += (left[at]! * left[at]!) / curvature[at]!;
      }
      if (most <= near) break;
      const kept = step === 0 ? 0 : size / before;
      before = size;
      let sum = 0;
      let mean = 0;
      for (let at = 0; at < count; at++) {
        along[at] = left[at]! / curvature[at]! + kept * along[at]!;
        everywhere[places[at]!] = along[at]!;
        sum += along[at]!;
        mean += (listed[places[at]!]! * along[at]!) / variance;
      }
      // of a list's groups a change of all of them takes this, and from all groups that
      const byList = isCentred ? 4 * mean : 2 * sum;
      const byAll = isCentred ? 0 : variance * (sum - 2 * mean);
      let bend = 0;
      for (let at = 0; at < count; at++) {
        const row = places[at]! * stride;
        let [a, b, c, d] = [0, 0, 0, 0];
        let other = 0;
        for (; other + 4 <= whole; other += 4) {
          a += products[row + other]! * everywhere[other]!;
          b += products[row + other + 1]! * everywhere[other + 1]!;
          c += products[row + other + 2]! * everywhere[other + 2]!;
          d += products[row + other + 3]! * everywhere[other + 3]!;
        }
        for (; other < whole; other++) a += products[row + other]! * everywhere[other]!;
        bent[at] = 4 * scale * (a + b + (c + d)) - listed[places[at]!]! * byList + byAll;
        bend += bent[at]! * along[at]!;
      }
      if (!(bend > 0)) break;
      const length = size / bend;
      for (let at = 0; at < count; at++) {
        change[at]! += length * along[at]!;
        left[at]! -= length * bent[at]!;
      }
    }
    return change;
  }

  /** @param columns that there were before */
  private reserve(columns: number): void {
    const { products, stride, tried } = this;
    if (tried.length <= stride) return;
    this.stride = Math.max(tried.length, Math.min(2 * stride, this.design.predictors), 64);
    this.products = new Float64Array(this.stride ** 2);
    for (let place = 0; place < columns; place++)
      this.products.set(products.subarray(place * stride, place * stride + columns), place * this.stride);
  }
}

/** Σ over the members of each value of theirs. */
function sumBlock(members: Uint32Array, from: number, to: number, spread: Float64Array, into: Float64Array): void {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    const first = BLOCK * members[at]!;
    a += spread[first]!;
    b += spread[first + 1]!;
    c += spread[first + 2]!;
    d += spread[first + 3]!;
  }
  into[0] = a;
  into[1] = b;
  into[2] = c;
  into[3] = d;
}
