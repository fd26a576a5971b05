import type { DecisionTree } from '@orchard/dataset';

/**
 * How many rounds of each decision of a variable are kept: as many of all decisions that lie equally deep in its tree, the
 * number that their validation rows together favour (a decision that ended earlier keeps what it has).
 *
 * The handful of validation rows that reaches a late decision would choose by chance; and one number for all would end the
 * first decisions, which all rows reach, where the late ones begin to overfit (README: measured).
 *
 * @param curves of each decision, summed validation nats after 0, 1, … rounds
 */
export function chooseRounds({ zero, one }: DecisionTree, curves: readonly Float64Array[]): Uint32Array {
  const depths = new Uint32Array(curves.length);
  // whoever leads to a decision stands before it
  curves.forEach((_, decision) => {
    for (const next of [zero[decision]!, one[decision]!]) if (next >= 0) depths[next] = depths[decision]! + 1;
  });
  const rounds = new Uint32Array(curves.length);
  for (const depth of new Set(depths)) {
    const ofDepth = curves.filter((_, decision) => depths[decision] === depth);
    const favoured = bestRound(ofDepth);
    curves.forEach(({ length }, decision) => {
      if (depths[decision] === depth) rounds[decision] = Math.min(favoured, length - 1);
    });
  }
  return rounds;
}

/** The number of rounds at which curves are highest together, the fewest among equals. */
function bestRound(curves: readonly Float64Array[]): number {
  const most = curves.reduce((longest, curve) => Math.max(longest, curve.length), 1);
  let bestRounds = 0;
  let best = -Infinity;
  for (let rounds = 0; rounds < most; rounds++) {
    const nats = curves.reduce((sum, curve) => sum + curve[Math.min(rounds, curve.length - 1)]!, 0);
    if (nats > best) {
      best = nats;
      bestRounds = rounds;
    }
  }
  return bestRounds;
}
