import type { InformedKind, PairOrderingKind } from '@orchard/contracts';
import type { PairCounts } from './pair-counts.js';
import type { PairInformation } from './pair-information.js';
import { byColumn, spanningTree } from './spanning-tree.js';

/**
 * Columns that are pivots of the factorisation, whose cost grows with their square; what is left then goes by what is
 * left of it.
 */
export const MOST_PIVOTS = 1024;

/** A variance below is the rounding of what is nothing. */
const NO_VARIANCE = 1e-10;

/** Orderings by what pairs tell of each other, of columns of any kind. Ties go to the lower column. */
export const pairOrderings: Readonly<Record<PairOrderingKind, (pairs: PairInformation) => Uint32Array>> = {
  hubs: (pairs) => {
    const sums = summedInformation(pairs);
    return Uint32Array.from(sums, (_, dim) => dim).sort((a, b) => sums[b]! - sums[a]! || a - b);
  },
  greedy: (pairs) => {
    const told = new Float64Array(pairs.dimensions);
    const entropies = Float64Array.from(told, (_, dim) => pairs.entropy(dim));
    let last = largest(summedInformation(pairs));
    return inTurn(pairs.dimensions, last, (isLeft) => {
      isLeft.forEach((left, dim) => {
        if (left === 1) told[dim]! += pairs.information(last, dim);
      });
      last = largest(told, isLeft, (dim) => (entropies[dim]! > 0 ? told[dim]! / entropies[dim]! : 0));
      return last;
    });
  },
  'chow-liu': depthFirst,
};

/** Every ordering of columns of 0 and 1: functions of the counts of pairs alone. */
export const informedOrderings: Readonly<Record<InformedKind, (pairs: PairCounts) => Uint32Array>> = {
  ...pairOrderings,
  entropy: (pairs) => byVariance(pairs, 1),
  'entropy-rising': (pairs) => byVariance(pairs, -1),
};

/** Mutual information of each column with all others, in nats, pair by pair. */
function summedInformation(pairs: PairInformation): Float64Array {
  const sums = new Float64Array(pairs.dimensions);
  for (let a = 1; a < pairs.dimensions; a++) {
    for (let b = 0; b < a; b++) {
      const information = pairs.information(a, b);
      sums[a]! += information;
      sums[b]! += information;
    }
  }
  return sums;
}

/** An ordering whose next column `next` names, of those that are left. */
function inTurn(dimensions: number, first: number, next: (isLeft: Uint8Array) => number): Uint32Array {
  const ordering = new Uint32Array(dimensions);
  const isLeft = new Uint8Array(dimensions).fill(1);
  for (let position = 0; position < dimensions; position++) {
    const dim = position === 0 ? first : next(isLeft);
    ordering[position] = dim;
    isLeft[dim] = 0;
  }
  return ordering;
}

/**
 * The tree of most mutual information from the column that explains most, walked depth first, the closest child first.
 */
function depthFirst(pairs: PairInformation): Uint32Array {
  const { dimensions } = pairs;
  const root = largest(summedInformation(pairs));
  const tree = spanningTree(dimensions, root, (a, b) => pairs.information(a, b), byColumn);
  const children: number[][] = Array.from({ length: dimensions }, () => []);
  for (const dim of tree.order.subarray(1)) children[tree.parents[dim]!]!.push(dim);
  const ordering = new Uint32Array(dimensions);
  const open = [root];
  for (let position = 0; position < dimensions; position++) {
    const dim = open.pop()!;
    ordering[position] = dim;
    for (const child of children[dim]!.sort((a, b) => tree.weights[a]! - tree.weights[b]! || b - a)) open.push(child);
  }
  return ordering;
}

/**
 * Next the column with the most (sign 1) or the least (-1) variance left given those before it, were all normal: a
 * pivoted Cholesky factorisation of the covariance, without any training. O(D x pivots²) time, O(D x pivots) memory.
 */
function byVariance(pairs: PairCounts, sign: 1 | -1): Uint32Array {
  const { dimensions } = pairs;
  const left = Float64Array.from({ length: dimensions }, (_, dim) => pairs.covariance(dim, dim));
  const factors: Float64Array[] = [];
  const best = (isLeft?: Uint8Array): number => largest(left, isLeft, (dim) => sign * left[dim]!);
  let last = best();
  return inTurn(dimensions, last, (isLeft) => {
    const variance = left[last]!;
    if (factors.length < MOST_PIVOTS && variance > NO_VARIANCE) {
      const factor = new Float64Array(dimensions);
      const root = Math.sqrt(variance);
      isLeft.forEach((isOpen, dim) => {
        if (isOpen === 0) return;
        let rest = pairs.covariance(last, dim);
        for (const earlier of factors) rest -= earlier[last]! * earlier[dim]!;
        factor[dim] = rest / root;
        const after = left[dim]! - factor[dim]! ** 2;
        left[dim] = after > NO_VARIANCE ? after : 0;
      });
      factors.push(factor);
    }
    last = best(isLeft);
    return last;
  });
}

/** The column of the highest value, among those that are left. */
function largest(
  values: Float64Array,
  isLeft: Uint8Array | null = null,
  valueOf: (dim: number) => number = (dim) => values[dim]!,
): number {
  let found = -1;
  let highest = -Infinity;
  for (let dim = 0; dim < values.length; dim++) {
    if (isLeft !== null && isLeft[dim] === 0) continue;
    const value = valueOf(dim);
    if (value <= highest) continue;
    highest = value;
    found = dim;
  }
  return found;
}
