import { NumberArray, type BodyArrays, type ModelBody } from '@orchard/model';

/** Log-odds of every column: its intercept, and of each predictor the weight times ±1. */
export interface SparseWeights {
  readonly intercepts: Float64Array;
  /** The weights of column d: at `starts[d]` to before `starts[d + 1]`. */
  readonly starts: Uint32Array;
  /** Columns before d, ascending. */
  readonly predictors: Uint32Array;
  /** Never 0. */
  readonly weights: Float64Array;
}

/**
 * @param limitOf of each column what its predictors come before: itself, unless said
 * @throws RangeError where these are not weights of columns on those before them
 */
export function checkWeights(
  { intercepts, starts, predictors, weights }: SparseWeights,
  limitOf: (column: number) => number = (column) => column,
): void {
  const isFinite = (numbers: Float64Array): boolean => numbers.every((value) => Number.isFinite(value));
  if (!isFinite(intercepts) || !isFinite(weights))
    throw new RangeError('an intercept or a weight that is not a number');
  for (let column = 0; column < intercepts.length; column++)
    for (let at = starts[column]!, before = -1; at < starts[column + 1]!; at++) {
      const predictor = predictors[at]!;
      if (predictor <= before || predictor >= limitOf(column))
        throw new RangeError(`column ${String(column)} predicted by column ${String(predictor)}`);
      before = predictor;
    }
}

/** One column's, or one component's. */
interface OfOne {
  readonly intercept: number;
  readonly predictors: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** Those of one after the other. */
export function weightsOfColumns(columns: readonly OfOne[]): SparseWeights {
  const starts = new Uint32Array(columns.length + 1);
  columns.forEach(({ weights }, column) => {
    starts[column + 1] = starts[column]! + weights.length;
  });
  return {
    intercepts: Float64Array.from(columns, ({ intercept }) => intercept),
    starts,
    predictors: Uint32Array.from(columns.flatMap(({ predictors }) => Array.from(predictors))),
    weights: Float64Array.from(columns.flatMap(({ weights }) => Array.from(weights))),
  };
}

/** The arrays of weights in a file, in the order of {@link weightArrays}. */
export function weightNames(of = ''): [intercepts: string, counts: string, predictors: string, weights: string] {
  const named = (part: string): string => (of === '' ? part : of + part[0]!.toUpperCase() + part.slice(1));
  return [named('intercepts'), named('counts'), named('predictors'), named('weights')];
}

/** Tables of weights, one after the other, as a file has them. @param of what they are of, before their names */
export function weightArrays(tables: readonly SparseWeights[], of?: string): BodyArrays {
  const [intercepts, counts, predictors, weights] = weightNames(of);
  const countsOf = (own: SparseWeights): Uint32Array =>
    Uint32Array.from(own.intercepts, (_, at) => own.starts[at + 1]! - own.starts[at]!);
  return {
    [intercepts]: NumberArray.ofFloats(tables.map((own) => own.intercepts)),
    [counts]: NumberArray.ofIntegers(tables.map(countsOf)),
    [predictors]: NumberArray.ofIntegers(tables.map((own) => own.predictors)),
    [weights]: NumberArray.ofFloats(tables.map((own) => own.weights)),
  };
}

/** Reads them. @param sums intercepts of each table */
export function readWeights(body: ModelBody, sums: readonly number[], of?: string): readonly SparseWeights[] {
  const names = weightNames(of);
  const all = sums.reduce((sum, own) => sum + own, 0);
  const intercepts = body.floats(names[0], all);
  const counts = body.integers(names[1], all);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const predictors = body.integers(names[2], total);
  const weights = body.floats(names[3], total);
  let [row, weight] = [0, 0];
  return sums.map((own) => {
    const starts = new Uint32Array(own + 1);
    for (let at = 0; at < own; at++) starts[at + 1] = starts[at]! + counts[row + at]!;
    const [from, to] = [weight, weight + starts[own]!];
    const table = {
      intercepts: intercepts.slice(row, row + own),
      starts,
      predictors: predictors.slice(from, to),
      weights: weights.slice(from, to),
    };
    row += own;
    weight = to;
    return table;
  });
}

/**
 * The shares of what predicts some sums in the absolute values of their weights.
 *
 * @param from their first weight, and `end` behind the last
 * @param ownerOf whose a predictor is, of `size` owners
 */
export function weightShares(
  { predictors, weights }: SparseWeights,
  [from, end]: readonly [from: number, end: number],
  size: number,
  ownerOf: (predictor: number) => number = (predictor) => predictor,
): Float64Array {
  const shares = new Float64Array(size);
  let total = 0;
  for (let at = from; at < end; at++) {
    const weight = Math.abs(weights[at]!);
    shares[ownerOf(predictors[at]!)]! += weight;
    total += weight;
  }
  return total > 0 ? shares.map((share) => share / total) : shares;
}

/** Owners of no predictor with a weight, ascending. */
export function ownersWithoutWeights(
  { predictors }: SparseWeights,
  size: number,
  ownerOf: (predictor: number) => number = (predictor) => predictor,
): Uint32Array {
  const used = new Uint8Array(size);
  for (const predictor of predictors) used[ownerOf(predictor)] = 1;
  return Uint32Array.from(used.keys()).filter((index) => used[index] === 0);
}

/** Log-odds, or scores, at a place, of the values that begin at `row`, a byte each. */
export type Sums = (place: number, values: Uint8Array, row: number) => number;

/** Σ w x of x as ±1 is twice the weights of the ones, less all weights. */
export function sumsOf({ intercepts, starts, predictors, weights }: SparseWeights): Sums {
  const bases = intercepts.slice();
  for (let place = 0; place < bases.length; place++)
    for (let at = starts[place]!; at < starts[place + 1]!; at++) bases[place]! -= weights[at]!;
  return (place, values, row) => {
    let sum = bases[place]!;
    for (let at = starts[place]!; at < starts[place + 1]!; at++)
      if (values[row + predictors[at]!] === 1) sum += 2 * weights[at]!;
    return sum;
  };
}

/**
 * The same, arranged by predictor, so that each 1 of a row is added to the columns after it: Σ w x of x as ±1 is twice
 * the weights of the ones, less all weights. A row costs its ones times their weights.
 */
export class ToldOnes {
  /** Log-odds of each column where all before it are 0. */
  readonly bases: Float64Array;
  /** The weights of predictor j: at `starts[j]` to before `starts[j + 1]`. */
  private readonly starts: Uint32Array;
  private readonly columns: Uint32Array;
  private readonly changes: Float64Array;

  constructor({ intercepts, starts, predictors, weights }: SparseWeights) {
    const dimensions = intercepts.length;
    this.bases = intercepts.slice();
    this.starts = new Uint32Array(dimensions + 1);
    for (const predictor of predictors) this.starts[predictor + 1]!++;
    for (let column = 0; column < dimensions; column++) this.starts[column + 1]! += this.starts[column]!;
    this.columns = new Uint32Array(predictors.length);
    this.changes = new Float64Array(predictors.length);
    const next = this.starts.slice();
    for (let column = 0; column < dimensions; column++)
      for (let at = starts[column]!; at < starts[column + 1]!; at++) {
        const place = next[predictors[at]!]!++;
        this.columns[place] = column;
        this.changes[place] = 2 * weights[at]!;
        this.bases[column]! -= weights[at]!;
      }
  }

  /** A predictor is 1: what that changes in the log-odds of the columns after it. */
  tell(predictor: number, logOdds: Float64Array): void {
    const { columns, changes } = this;
    for (let at = this.starts[predictor]!; at < this.starts[predictor + 1]!; at++)
      logOdds[columns[at]!]! += changes[at]!;
  }
}
