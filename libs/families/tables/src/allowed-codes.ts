import type { DecisionTree } from '@orchard/dataset';

/** None of the codes below a decision is allowed, all are wholly, or some are and others not. */
const NONE = 0;
const ALL = 1;
const MIXED = 2;

/** How far codes are allowed: a code, or all below a decision. */
function allowances(tree: DecisionTree, weights: ArrayLike<number>): (child: number) => number {
  const result = new Uint8Array(tree.zero.length);
  const below = (child: number): number => {
    if (child < 0) {
      const weight = weights[-1 - child]!;
      return weight === 1 ? ALL : weight === 0 ? NONE : MIXED;
    }
    return result[child]!;
  };
  // every decision stands behind the one that leads to it
  for (let decision = result.length - 1; decision >= 0; decision--) {
    const [zero, one] = [below(tree.zero[decision]!), below(tree.one[decision]!)];
    result[decision] = zero === one ? zero : MIXED;
  }
  return below;
}

/**
 * The first decision, or the code, that is not settled by what is allowed: whether an unknown value is missing, and
 * whether it is "(other)", are decided before all else, and need no odds where an unknown value is filled in with a
 * value.
 */
export function firstOpen(tree: DecisionTree, weights: ArrayLike<number>): number {
  const below = allowances(tree, weights);
  let child = tree.zero.length === 0 ? -1 : 0;
  while (child >= 0) {
    const [zero, one] = [tree.zero[child]!, tree.one[child]!];
    if ((below(zero) === NONE) === (below(one) === NONE)) break;
    child = below(zero) === NONE ? one : zero;
  }
  return child;
}

/** What is allowed of a variable, given the odds of its decisions. */
export interface AllowedOdds {
  /** Probability of what is allowed, by place. */
  readonly chances: Float64Array;
  /** Of a decision, its odds among what is allowed, by place; null where all below it is allowed. */
  readonly odds: readonly (Float64Array | null)[];
}

/**
 * Looks ahead in the tree of a variable of which only some codes are allowed: so that no particle goes where nothing
 * is.
 *
 * @param oddsOf the odds of a decision, by place
 */
export function allowedOdds(
  tree: DecisionTree,
  weights: ArrayLike<number>,
  places: number,
  oddsOf: (decision: number) => Float64Array,
): AllowedOdds {
  const below = allowances(tree, weights);
  const odds = Array.from(tree.zero, (): Float64Array | null => null);
  const massOf = (child: number): Float64Array => {
    if (child < 0) return new Float64Array(places).fill(weights[-1 - child]!);
    if (below(child) !== MIXED) return new Float64Array(places).fill(below(child) === ALL ? 1 : 0);
    const own = oddsOf(child);
    const [zero, one] = [massOf(tree.zero[child]!), massOf(tree.one[child]!)];
    const conditioned = new Float64Array(places);
    const mass = new Float64Array(places);
    for (let at = 0; at < places; at++) {
      const ones = own[at]!;
      const p = ones === Infinity ? 1 : ones / (1 + ones);
      // not by 1 - p, of which odds beyond 2^53 leave nothing
      const [left, right] = [zero[at]! / (1 + ones), p * one[at]!];
      mass[at] = left + right;
      // nothing is allowed that has any probability: as if all were
      conditioned[at] = left + right > 0 ? right / left : ones;
    }
    odds[child] = conditioned;
    return mass;
  };
  return { chances: massOf(tree.zero.length === 0 ? -1 : 0), odds };
}
