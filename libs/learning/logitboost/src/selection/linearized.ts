import type { DimensionCurves } from './curves.js';
import { DimensionHeap } from './dimension-heap.js';
import { allRounds, NetworkSum, type SumGrids } from './network-sum.js';
import type { PathRecorder } from './path.js';

/**
 * Chooses along one greedy path through the networks of all sizes (paper section 3): forward from no trees by the
 * largest gain of training likelihood, or backward from all trees by the smallest loss. A gain or loss is the
 * difference of two neighbouring points of one training curve, rounded once; among equal ones the dimension of the
 * lower stored index moves. Of the models on the path, both ends included, the one of the highest summed validation
 * likelihood is chosen, the smaller among equals. O(DT log D) time, four bytes a tree beside the curves.
 */
export function linearizedRounds(
  curves: readonly DimensionCurves[],
  direction: 'forward' | 'backward',
  grids: SumGrids,
  path: PathRecorder,
): { rounds: Uint32Array; model: NetworkSum } {
  const step = direction === 'forward' ? 1 : -1;
  const rounds = step > 0 ? new Uint32Array(curves.length) : allRounds(curves);
  const nextKey = (dim: number): number => changeOfTraining(curves[dim]!, rounds[dim]!, step);
  const heap = new DimensionHeap(Float64Array.from(curves, (_, dim) => nextKey(dim)));

  const start = rounds.slice();
  const moves = new Uint32Array(allRounds(curves).reduce((sum, trees) => sum + trees, 0));
  let made = 0;
  let chosen = 0;
  const model = NetworkSum.of(curves, rounds, grids);
  const best = new NetworkSum(grids);
  best.copy(model);
  path.offer(model);
  while (heap.size > 0) {
    const dim = heap.top;
    const from = rounds[dim]!;
    model.move(curves[dim]!, from, from + step);
    rounds[dim] = from + step;
    moves[made++] = dim;
    const key = nextKey(dim);
    if (Number.isNaN(key)) heap.removeTop();
    else heap.replaceTop(key);
    path.offer(model);
    if (model.isBetterThan(best)) {
      best.copy(model);
      chosen = made;
    }
  }
  for (let move = 0; move < chosen; move += 1) start[moves[move]!]! += step;
  return { rounds: start, model: best };
}

/** What the next step of a dimension adds to the training likelihood; NaN where it has no next step. */
function changeOfTraining({ train }: DimensionCurves, from: number, step: 1 | -1): number {
  const to = from + step;
  return to < 0 || to >= train.length ? NaN : train[to]! - train[from]!;
}
