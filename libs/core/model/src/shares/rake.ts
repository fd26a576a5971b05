/** A share that rows are to have, and which rows it is of. */
export interface Margin {
  /** Of each row the place of its part in {@link shares}; -1 where it is in none, so that it cannot be taken. */
  readonly partOf: Int32Array;
  /** Above 0, together 1. */
  readonly shares: readonly number[];
}

/** Weights of rows that have all margins, as nearly as they can. */
export interface RakedWeights {
  /** 0 or more, together 1. */
  readonly weights: Float64Array;
  /** How far a margin of these weights is from its shares at most. */
  readonly error: number;
  /** (sum of the weights)² / sum of their squares: so many equally weighed rows are as good. */
  readonly effectiveRows: number;
}

const MOST_PASSES = 1000;
const CLOSE = 1e-9;

/**
 * Weights by raking: the rows of each part of a margin are scaled to its share, one margin after another, until all of
 * them are right. Of all weights that have these margins they are the nearest to equal ones, in relative entropy. Rows
 * of the same parts weigh the same, so that a pass takes a step for each combination of parts.
 */
export function rake(rows: number, margins: readonly Margin[]): RakedWeights {
  const { combinationOf, rowsOf, first } = combinationsOf(rows, margins);
  const combined = margins.map(({ partOf, shares }): Margin => ({
    partOf: Int32Array.from(first, (row) => partOf[row]!),
    shares,
  }));
  // of each combination the weight of all its rows
  const sums = Float64Array.from(rowsOf, (own, at) => (combined.some(({ partOf }) => partOf[at]! < 0) ? 0 : own));
  scaleToOne(sums);
  let error = Infinity;
  for (let pass = 0; pass < MOST_PASSES && error > CLOSE; pass++) {
    for (const margin of combined) scaleTo(sums, margin);
    error = combined.reduce((most, margin) => Math.max(most, errorOf(sums, margin)), 0);
  }
  scaleToOne(sums);
  const weights = Float64Array.from(combinationOf, (at) => sums[at]! / rowsOf[at]!);
  const squares = weights.reduce((sum, weight) => sum + weight ** 2, 0);
  return { weights, error, effectiveRows: squares > 0 ? 1 / squares : 0 };
}

interface Combinations {
  /** Of each row which combination of parts it has. */
  readonly combinationOf: Uint32Array;
  readonly rowsOf: readonly number[];
  /** The first row of each. */
  readonly first: readonly number[];
}

function combinationsOf(rows: number, margins: readonly Margin[]): Combinations {
  const places = new Map<string, number>();
  const rowsOf: number[] = [];
  const first: number[] = [];
  const combinationOf = Uint32Array.from({ length: rows }, (_, row) => {
    const key = margins.map(({ partOf }) => partOf[row]).join();
    const place = places.get(key) ?? places.size;
    if (place === places.size) {
      places.set(key, place);
      rowsOf.push(0);
      first.push(row);
    }
    rowsOf[place]!++;
    return place;
  });
  return { combinationOf, rowsOf, first };
}

function scaleToOne(weights: Float64Array): void {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum > 0)
    weights.forEach((weight, row) => {
      weights[row] = weight / sum;
    });
}

function sharesOf(weights: Float64Array, { partOf, shares }: Margin): Float64Array {
  const sums = new Float64Array(shares.length);
  partOf.forEach((part, row) => {
    if (part >= 0) sums[part]! += weights[row]!;
  });
  return sums;
}

function scaleTo(weights: Float64Array, margin: Margin): void {
  const sums = sharesOf(weights, margin);
  margin.partOf.forEach((part, row) => {
    if (part >= 0 && sums[part]! > 0) weights[row]! *= margin.shares[part]! / sums[part]!;
  });
}

function errorOf(weights: Float64Array, margin: Margin): number {
  const sums = sharesOf(weights, margin);
  return margin.shares.reduce((most, share, part) => Math.max(most, Math.abs(share - sums[part]!)), 0);
}
