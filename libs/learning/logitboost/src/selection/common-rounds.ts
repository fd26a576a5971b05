import { roundsOf, type DimensionCurves } from './curves.js';
import { NetworkSum, type SumGrids } from './network-sum.js';
import type { PathRecorder } from './path.js';

/**
 * One `t` for all dimensions: the argmax of the summed validation curves, the smallest among equals. The curve of a
 * dimension that stopped before `t` goes on flat, with all its trees. O(DT).
 *
 * @returns the common `t`, and the model in which every dimension has it (or all its trees)
 */
export function commonRounds(
  curves: readonly DimensionCurves[],
  grids: SumGrids,
  path: PathRecorder,
): { round: number; model: NetworkSum } {
  const model = NetworkSum.of(curves, new Uint32Array(curves.length), grids);
  const best = new NetworkSum(grids);
  best.copy(model);
  path.offer(model);
  const longest = longestRounds(curves);
  let bestRound = 0;
  for (let round = 1; round <= longest; round += 1) {
    for (const curve of curves) if (round <= roundsOf(curve)) model.move(curve, round - 1, round);
    path.offer(model);
    if (model.isBetterThan(best)) {
      best.copy(model);
      bestRound = round;
    }
  }
  return { round: bestRound, model: best };
}

export function longestRounds(curves: readonly DimensionCurves[]): number {
  return curves.reduce((longest, curve) => Math.max(longest, roundsOf(curve)), 0);
}
