import { commonRounds, longestRounds } from './common.js';
import { checkCurves, roundsOf, type DimensionCurves } from './curves.js';
import { individualRounds } from './individual.js';
import { linearizedRounds } from './linearized.js';
import { gridsFor, NetworkSum } from './network-sum.js';
import { PathRecorder } from './path.js';
import { pooledRounds } from './pooled.js';
import type { Selection, SelectionMethod } from './selection.js';

export interface SelectionOptions {
  /**
   * About how many models of the path are returned (at most one more, the chosen one).
   * @default 1000
   */
  readonly pathPoints?: number;
}

/**
 * Chooses how many trees of every conditional make the network, from the curves alone (paper section 3). The same curves
 * give the same selection on every machine. 10,000 dimensions of 1,000 rounds take seconds; see the README.
 *
 * @param method - `individual`, `common`, `linearized` (forward), `linearized-backward`, or `pooled`
 * @param curves - by stored index of the dimension; summed nats, point `t` after `t` trees
 * @throws Refusal `invalid-curves` where the curves are empty, of unequal lengths within a dimension, or not finite
 */
export function select(
  method: SelectionMethod,
  curves: readonly DimensionCurves[],
  { pathPoints = 1000 }: SelectionOptions = {},
): Selection {
  checkCurves(curves);
  const grids = gridsFor(curves);
  if (method === 'individual') {
    const rounds = individualRounds(curves);
    return describe(method, rounds, NetworkSum.of(curves, rounds, grids));
  }
  if (method === 'pooled') {
    const rounds = pooledRounds(curves, longestOf(paperRounds(curves, grids)));
    return describe(method, rounds, NetworkSum.of(curves, rounds, grids));
  }
  if (method === 'common') {
    const path = new PathRecorder(longestRounds(curves) + 1, pathPoints);
    const { round, model } = commonRounds(curves, grids, path);
    const rounds = Uint32Array.from(curves, (curve) => Math.min(round, roundsOf(curve)));
    return { ...describe(method, rounds, model), path: path.finish(model), commonRounds: round };
  }
  const allTrees = curves.reduce((trees, curve) => trees + roundsOf(curve), 0);
  const path = new PathRecorder(allTrees + 1, pathPoints);
  const direction = method === 'linearized' ? 'forward' : 'backward';
  const { rounds, model } = linearizedRounds(curves, direction, grids, path);
  return { ...describe(method, rounds, model), path: path.finish(model) };
}

/** What the paper's selections keep: refitted trees are theirs, and serve every selection that keeps no more of a dimension. */
function paperRounds(curves: readonly DimensionCurves[], grids: ReturnType<typeof gridsFor>): Uint32Array[] {
  const unseen = (points: number): PathRecorder => new PathRecorder(points, 2);
  const allTrees = curves.reduce((trees, curve) => trees + roundsOf(curve), 0);
  const { round } = commonRounds(curves, grids, unseen(longestRounds(curves) + 1));
  return [
    individualRounds(curves),
    Uint32Array.from(curves, (curve) => Math.min(round, roundsOf(curve))),
    ...(['forward', 'backward'] as const).map(
      (direction) => linearizedRounds(curves, direction, grids, unseen(allTrees + 1)).rounds,
    ),
  ];
}

function longestOf(selections: readonly Uint32Array[]): Uint32Array {
  return selections[0]!.map((_, dimension) => Math.max(...selections.map((rounds) => rounds[dimension]!)));
}

function describe(method: SelectionMethod, rounds: Uint32Array, model: NetworkSum): Selection {
  return {
    method,
    rounds,
    trees: model.trees,
    trainLogLikelihood: model.train.value,
    validLogLikelihood: model.valid.value,
  };
}
