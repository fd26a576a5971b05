import { exp, log, type RandomStream, sumOf } from '@orchard/numerics';

export interface PlacementParts {
  readonly experts: number;
  /** Of each axis how far it goes each way, whole. */
  readonly most: Int32Array;
  /** Of all experts' coordinates: `mean[expert * axes + axis]`. */
  readonly mean: Float64Array;
  /** Row by row, (experts times axes) squared. */
  readonly covariance: Float64Array;
}

/** Rows by which a covariance is pulled to that of any place alike. */
const PRIOR_ROWS = 1;

/**
 * Where the experts of a row lie: a joint Gaussian of their coordinates (thesis, 3.3.2). Coordinates are whole and end
 * somewhere, so each has the Gaussian's density given those before it, divided by the sum over all that it may be: a
 * distribution that sums to 1. Of a set of experts it is that of the Gaussian's margin. Immutable.
 */
export class Placement implements PlacementParts {
  readonly experts: number;
  readonly most: Int32Array;
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
  readonly #sets = new Map<string, PlacementOfSet>();

  /** @throws RangeError where the numbers are no Gaussian of so many coordinates */
  constructor({ experts, most, mean, covariance }: PlacementParts) {
    this.experts = experts;
    this.most = most;
    this.mean = mean;
    this.covariance = covariance;
    const count = experts * most.length;
    if (mean.length !== count || covariance.length !== count ** 2 || !mean.every(Number.isFinite))
      throw new RangeError(`${String(mean.length)} means of ${String(count)} coordinates`);
    if (most.some((far) => far < 1)) throw new RangeError('an axis of one place');
    // numbers that are not a covariance are refused here
    this.of(Array.from({ length: experts }, (_, expert) => expert));
  }

  /** As if any place were as good as any other, for each expert by itself. */
  static anywhere(experts: number, most: Int32Array): Placement {
    const count = experts * most.length;
    const covariance = new Float64Array(count ** 2);
    for (let at = 0; at < count; at++) covariance[at * count + at] = variance(most[at % most.length]!);
    return new Placement({ experts, most, mean: new Float64Array(count), covariance });
  }

  /** @param set ascending */
  of(set: readonly number[]): PlacementOfSet {
    const key = set.join();
    let own = this.#sets.get(key);
    if (own === undefined) {
      own = new PlacementOfSet(this, set);
      this.#sets.set(key, own);
    }
    return own;
  }
}

/** The coordinates of one set of experts, one after another. */
export class PlacementOfSet {
  /** Of these in all experts' coordinates. */
  readonly indices: readonly number[];
  readonly #mean: Float64Array;
  readonly #most: Int32Array;
  /** The lower triangle L of the covariance L L'. */
  readonly #lower: Float64Array;
  readonly #sure: Float64Array;

  constructor({ most, mean, covariance, experts }: PlacementParts, set: readonly number[]) {
    this.indices = set.flatMap((expert) => Array.from(most, (_, axis) => expert * most.length + axis));
    const all = experts * most.length;
    this.#mean = Float64Array.from(this.indices, (at) => mean[at]!);
    this.#most = Int32Array.from(this.indices, (at) => most[at % most.length]!);
    this.#lower = lowerOf(this.indices.map((row) => this.indices.map((column) => covariance[row * all + column]!)));
    this.#sure = new Float64Array(this.indices.length);
  }

  /** log P of these coordinates, nats. @param coordinates expert by expert */
  nats(coordinates: ArrayLike<number>): number {
    const [mean, lower, sure, most] = [this.#mean, this.#lower, this.#sure, this.#most];
    const count = mean.length;
    let nats = 0;
    for (let at = 0; at < count; at++) {
      let expected = mean[at]!;
      for (let before = 0; before < at; before++) expected += lower[at * count + before]! * sure[before]!;
      const deviation = lower[at * count + at]!;
      const own = (coordinates[at]! - expected) / deviation;
      sure[at] = own;
      let sum = 0;
      for (let other = -most[at]!; other <= most[at]!; other++) {
        const away = (other - expected) / deviation;
        // beside the coordinate's own term, so that far from all no sum vanishes
        sum += exp((own * own - away * away) / 2);
      }
      nats -= log(sum);
    }
    return nats;
  }

  draw(stream: RandomStream): Int32Array {
    const [mean, lower, sure, most] = [this.#mean, this.#lower, this.#sure, this.#most];
    const count = mean.length;
    const drawn = new Int32Array(count);
    for (let at = 0; at < count; at++) {
      let expected = mean[at]!;
      for (let before = 0; before < at; before++) expected += lower[at * count + before]! * sure[before]!;
      const deviation = lower[at * count + at]!;
      const nearest = Math.min(Math.max(Math.round(expected), -most[at]!), most[at]!);
      const least = ((nearest - expected) / deviation) ** 2;
      const shares = Array.from({ length: 2 * most[at]! + 1 }, (_, place) =>
        exp((least - ((place - most[at]! - expected) / deviation) ** 2) / 2),
      );
      let left = stream.uniform() * sumOf(shares);
      let place = 0;
      while (place < shares.length - 1 && left >= shares[place]!) left -= shares[place++]!;
      drawn[at] = place - most[at]!;
      sure[at] = (drawn[at]! - expected) / deviation;
    }
    return drawn;
  }

  /** L^-1 of a vector: what is left of each once those before it are known, in deviations. */
  solved(vector: readonly number[]): number[] {
    const count = this.#mean.length;
    const result: number[] = [];
    vector.forEach((value, at) => {
      let rest = value;
      for (let before = 0; before < at; before++) rest -= this.#lower[at * count + before]! * result[before]!;
      result.push(rest / this.#lower[at * count + at]!);
    });
    return result;
  }
}

/** Coordinates by which a placement is learned: mean and covariance, by EM where experts are absent from rows. */
export class PlacementCounts {
  readonly #sets = new Map<string, { set: readonly number[]; rows: number; seen: number[][]; times: number[] }>();

  constructor(readonly before: Placement) {}

  /** @param set ascending @param coordinates expert by expert */
  add(set: readonly number[], coordinates: readonly number[], times: number): void {
    if (set.length === 0 || this.before.most.length === 0) return;
    const key = set.join();
    let own = this.#sets.get(key);
    if (own === undefined) {
      own = { set, rows: 0, seen: [], times: [] };
      this.#sets.set(key, own);
    }
    own.rows += times;
    own.seen.push([...coordinates]);
    own.times.push(times);
  }

  /**
   * A step of EM from the placement before: what is absent has its mean and its covariance given what is there. One row
   * more, of any place alike, keeps a covariance from vanishing.
   */
  placement(): Placement {
    const { experts, most, mean, covariance } = this.before;
    const count = mean.length;
    if (count === 0) return this.before;
    const sums = new Float64Array(count);
    const squares = new Float64Array(count ** 2);
    let rows = 0;
    for (const { set, rows: own, seen, times } of this.#sets.values()) {
      rows += own;
      const known = this.before.of(set);
      // with L L' the covariance of what is known: W = L^-1 C, column by column of all coordinates
      const whitened = Array.from({ length: count }, (_, column) =>
        known.solved(known.indices.map((row) => covariance[row * count + column]!)),
      );
      for (let row = 0; row < count; row++)
        for (let column = 0; column < count; column++)
          squares[row * count + column]! +=
            own * (covariance[row * count + column]! - dot(whitened[row]!, whitened[column]!));
      seen.forEach((coordinates, at) => {
        const sure = known.solved(coordinates.map((value, place) => value - mean[known.indices[place]!]!));
        const away = whitened.map((column) => dot(column, sure));
        for (let row = 0; row < count; row++) {
          sums[row]! += times[at]! * away[row]!;
          for (let column = 0; column < count; column++)
            squares[row * count + column]! += times[at]! * away[row]! * away[column]!;
        }
      });
    }
    const moved = sums.map((sum) => sum / (rows + PRIOR_ROWS));
    const next = squares.map((square, cell) => {
      const [row, column] = [Math.floor(cell / count), cell % count];
      const prior = row === column ? PRIOR_ROWS * variance(most[row % most.length]!) : 0;
      // of squares about the mean before, those about the mean after
      const shift = rows * moved[row]! * moved[column]! - sums[row]! * moved[column]! - moved[row]! * sums[column]!;
      return (square + shift + prior) / (rows + PRIOR_ROWS);
    });
    const means = mean.map((own, at) => own + moved[at]!);
    return new Placement({ experts, most, mean: means, covariance: next });
  }
}

/** Of a whole number from -most to most, each alike. */
function variance(most: number): number {
  return (most * (most + 1)) / 3;
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + value * other[at]!, 0);
}

/** @throws RangeError where it is not a covariance */
function lowerOf(matrix: readonly (readonly number[])[]): Float64Array {
  const count = matrix.length;
  const lower = new Float64Array(count ** 2);
  for (let row = 0; row < count; row++)
    for (let column = 0; column <= row; column++) {
      let rest = matrix[row]![column]!;
      for (let at = 0; at < column; at++) rest -= lower[row * count + at]! * lower[column * count + at]!;
      if (row === column && !(rest > 0 && rest < Infinity)) throw new RangeError('a covariance that is none');
      lower[row * count + column] = row === column ? Math.sqrt(rest) : rest / lower[column * count + column]!;
    }
  return lower;
}
