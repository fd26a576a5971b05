import type { OrderedVariable } from '@orchard/contracts';
import { exp, log, oncePer, placeOfGreatest, sumOf } from '@orchard/numerics';
import { boundsOf } from './bounds.js';
import { ownValue } from './codes.js';
import { piecesOfCell } from './pieces.js';
import { codesInOrder } from './value-order.js';

/** Values of one code that lie together: a point, uniform between two ends, or exponential away from one of them. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly code: number;
  /** Of the code's probability. */
  readonly share: number;
  readonly shape: 'point' | 'even' | 'tail below' | 'tail above';
  /** Of a tail: its mean excess, were it not cut by a bound. */
  readonly scale: number;
}

/** Probabilities next to 0 and 1, where a tail without an end would be infinite. */
const LEAST_PART = 2 ** -53;
/** Even quantiles that the densest place is looked for among. */
const QUANTILES = 201;

/** How the values of an ordered variable lie, given how likely each of its codes is: quantiles and means, exactly. */
export class ValueDistribution {
  readonly #stretches: readonly Stretch[];
  readonly #masses: Float64Array;
  readonly #total: number;

  /**
   * @param shares of the codes; those of a missing value and of "(other)" are left out of account, and the others need
   *   not sum to 1
   */
  constructor(
    readonly variable: OrderedVariable,
    shares: ArrayLike<number>,
  ) {
    this.#stretches = stretchesOf(variable);
    this.#masses = Float64Array.from(this.#stretches, ({ code, share }) => shares[code]! * share);
    this.#total = sumOf(this.#masses);
  }

  /** The least value that the given part of the probability lies at or below. O(pieces) */
  quantile(part: number): number {
    const wanted = part * this.#total;
    let below = 0;
    let last = 0;
    for (let at = 0; at < this.#masses.length; at++) {
      const mass = this.#masses[at]!;
      if (mass === 0) continue;
      if (below + mass >= wanted) return valueAt(this.#stretches[at]!, (wanted - below) / mass);
      below += mass;
      last = at;
    }
    return valueAt(this.#stretches[last]!, 1);
  }

  mean(): number {
    let sum = 0;
    this.#stretches.forEach((stretch, at) => {
      if (this.#masses[at]! > 0) sum += this.#masses[at]! * meanOfStretch(stretch);
    });
    return sum / this.#total;
  }

  /** Of masses the heaviest value; of a density where the values lie densest. */
  mode(): number {
    if (this.variable.measure === 'mass') return this.#stretches[placeOfGreatest(this.#masses)]!.from;
    return densestOf(Float64Array.from({ length: QUANTILES }, (_, at) => this.quantile((at + 0.5) / QUANTILES)));
  }

  /**
   * The continuous ranked probability score of a value that came: the integral of (F(x) - [x >= value])² over all x, in
   * the unit of the column; 0 is best. It is the mean distance from the value, less half that of two drawn values.
   * Exact, stretch by stretch. O(pieces)
   */
  rankedScore(value: number): number {
    let [sum, below, end] = [0, 0, NaN];
    this.#stretches.forEach((stretch, at) => {
      const mass = this.#masses[at]! / this.#total;
      if (mass === 0) return;
      // before the first stretch nothing lies below, and what counts there is the way from the value alone
      if (Number.isNaN(end)) sum += Math.max(0, stretch.from - value);
      else sum += scoreBetween(end, stretch.from, value, below);
      sum += scoreWithin(stretch, below, mass, value);
      below += mass;
      end = stretch.to;
    });
    return sum + Math.max(0, value - end);
  }

  /** The probability of [low, high]. */
  shareBetween(low: number, high: number): number {
    let sum = 0;
    this.#stretches.forEach((stretch, at) => {
      sum += this.#masses[at]! * shareOfStretch(stretch, low, high);
    });
    return sum / this.#total;
  }
}

/**
 * The middle of the narrowest half of ascending numbers, of that half's narrowest half, and so on: the half-sample
 * mode.
 */
export function densestOf(ascending: Float64Array): number {
  let [from, to] = [0, ascending.length];
  while (to - from > 2) {
    const half = Math.ceil((to - from) / 2);
    let best = from;
    for (let at = from; at + half <= to; at++)
      if (ascending[at + half - 1]! - ascending[at]! < ascending[best + half - 1]! - ascending[best]!) best = at;
    from = best;
    to = best + half;
  }
  return ascending[from]! / 2 + ascending[to - 1]! / 2;
}

/** All stretches of a variable in the order of their values, a point before what begins at it. */
const stretchesOf = oncePer((variable: OrderedVariable): readonly Stretch[] =>
  codesInOrder(variable)
    .flatMap((code) => stretchesOfCode(variable, code))
    .sort((a, b) => a.from - b.from || a.to - b.to),
);

function stretchesOfCode(variable: OrderedVariable, code: number): Stretch[] {
  const own = ownValue(variable, code);
  if (own !== null) return [{ from: own, to: own, code, share: 1, shape: 'point', scale: 0 }];
  const whole = wholeStretches(variable, code);
  const [least, greatest] = boundsOf(variable);
  // samples keep to the bounds of a column: where the cell leaves them no room they are the bound
  const kept = whole.flatMap((stretch) => cut(stretch, least, greatest));
  if (kept.length === 0) {
    const bound = code === 0 ? least : greatest;
    return [{ from: bound, to: bound, code, share: 1, shape: 'point', scale: 0 }];
  }
  const all = kept.reduce((sum, { share }) => sum + share, 0);
  const scaled = kept.map((stretch) => ({ ...stretch, share: stretch.share / all }));
  return (variable.atoms?.values ?? []).reduce<Stretch[]>(
    (parts, atom) => parts.flatMap((part) => splitAt(part, atom)),
    scaled,
  );
}

/** A cell's pieces; of older files the whole cell. */
function wholeStretches(variable: OrderedVariable, code: number): Stretch[] {
  const { edges, tails } = variable;
  const cells =
    variable.pieces === undefined
      ? [{ from: edges[code - 1] ?? -Infinity, to: edges[code] ?? Infinity, weight: 1 }]
      : piecesOfCell(variable, code);
  return cells
    .filter(({ weight }) => weight > 0)
    .map(({ from, to, weight }): Stretch => {
      if (from === -Infinity) return { from, to, code, share: weight, shape: 'tail below', scale: tails![0] };
      if (to === Infinity) return { from, to, code, share: weight, shape: 'tail above', scale: tails![1] };
      return { from, to, code, share: weight, shape: 'even', scale: 0 };
    });
}

/** What of a stretch lies between two ends, its share in proportion. */
function cut(stretch: Stretch, low: number, high: number): Stretch[] {
  const [from, to] = [Math.max(stretch.from, low), Math.min(stretch.to, high)];
  if (from === stretch.from && to === stretch.to) return [stretch];
  if (!(to > from)) return [];
  return [{ ...stretch, from, to, share: stretch.share * shareOfStretch(stretch, from, to) }];
}

function splitAt(stretch: Stretch, value: number): Stretch[] {
  if (!(stretch.from < value && value < stretch.to)) return [stretch];
  return [...cut(stretch, -Infinity, value), ...cut(stretch, value, Infinity)];
}

/** The probability that an exponential of a scale is less than a distance. */
function within(distance: number, scale: number): number {
  return distance === Infinity ? 1 : 1 - exp(-distance / scale);
}

/** The share of a stretch that lies in [low, high]. */
function shareOfStretch({ from, to, shape, scale }: Stretch, low: number, high: number): number {
  if (shape === 'point') return from >= low && from <= high ? 1 : 0;
  const [a, b] = [Math.max(low, from), Math.min(high, to)];
  if (!(b > a)) return 0;
  if (a === from && b === to) return 1;
  if (shape === 'even') return (b - a) / (to - from);
  const [near, far] = shape === 'tail below' ? [to - b, to - a] : [a - from, b - from];
  return (within(far, scale) - within(near, scale)) / within(to - from, scale);
}

/** The ranked score of a value between two ends between which nothing lies. @param below the probability of less */
function scoreBetween(from: number, to: number, value: number, below: number): number {
  if (!(to > from)) return 0;
  const split = Math.min(Math.max(value, from), to);
  return below ** 2 * (split - from) + (1 - below) ** 2 * (to - split);
}

/** The ranked score of a value, as far as it comes of one stretch. @param below the probability of less */
function scoreWithin(stretch: Stretch, below: number, mass: number, value: number): number {
  const { from, to } = stretch;
  if (stretch.shape === 'point') return 0;
  const split = Math.min(Math.max(value, from), to);
  let sum = 0;
  if (split > from) sum += integralOfSquare(stretch, below, mass, [from, split]);
  // behind the value the square is that of what is left
  if (to > split) sum += integralOfSquare(stretch, below - 1, mass, [split, to]);
  return sum;
}

/** Tails that are shorter, in scales, are so nearly even that the sum of their parts would lose digits. */
const SHORT_TAIL = 1e-3;

/** The integral of (start + mass * (the share of the stretch below x))² over x between two ends in the stretch. */
function integralOfSquare(stretch: Stretch, start: number, mass: number, [a, b]: readonly [number, number]): number {
  const { from, to, shape, scale } = stretch;
  if (shape === 'even' || (to - from) / scale < SHORT_TAIL) {
    const at = (x: number): number => (start + mass * shareOfStretch(stretch, from, x)) ** 2;
    // Simpson's rule: the square of a line exactly
    return ((b - a) / 6) * (at(a) + 4 * at(a / 2 + b / 2) + at(b));
  }
  // the sum is `level + height * exp(-distance / scale)`, by the distance from the end where the tail is dense
  const whole = within(to - from, scale);
  const isBelow = shape === 'tail below';
  const height = ((isBelow ? 1 : -1) * mass) / whole;
  const level = isBelow ? start + mass - height : start - height;
  const [near, far] = isBelow ? [to - b, to - a] : [a - from, b - from];
  const [atNear, atFar] = [exp(-near / scale), exp(-far / scale)];
  // of a tail without an end the level is 0 but for rounding
  const flat = far === Infinity ? 0 : level ** 2 * (far - near) + 2 * level * height * scale * (atNear - atFar);
  return flat + (height ** 2 * scale * (atNear ** 2 - atFar ** 2)) / 2;
}

/** The value that a part of a stretch lies below. */
function valueAt({ from, to, shape, scale }: Stretch, part: number): number {
  if (shape === 'point') return from;
  if (shape === 'even') return from + Math.min(1, part) * (to - from);
  const whole = within(to - from, scale);
  const inner = Math.min(1 - LEAST_PART, Math.max(LEAST_PART, part));
  if (shape === 'tail above') return Math.min(to, from - scale * log(1 - inner * whole));
  return Math.max(from, to + scale * log(1 - (1 - inner) * whole));
}

function meanOfStretch({ from, to, shape, scale }: Stretch): number {
  if (shape === 'point') return from;
  if (shape === 'even') return from / 2 + to / 2;
  const length = to - from;
  // of an exponential that ends at a length
  const distance = length === Infinity ? scale : scale - (length * exp(-length / scale)) / within(length, scale);
  return shape === 'tail above' ? from + distance : to - distance;
}
