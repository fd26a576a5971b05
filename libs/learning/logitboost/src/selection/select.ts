import { placeOfGreatest } from '@orchard/numerics';
import { commonRounds, longestRounds } from './common-rounds.js';
import { checkCurves, roundsOf, type DimensionCurves } from './curves.js';
import { linearizedRounds } from './linearized.js';
import { gridsFor, NetworkSum } from './network-sum.js';
import { PathRecorder } from './path.js';
import { pooledRounds } from './pooled.js';
import { paperSelections, type Selection, type SelectionMethod } from './selection.js';

export interface SelectionOptions {
  /**
   * About how many models of the path are returned (at most one more, the chosen one).
   * @default 1000
   */
  readonly pathPoints?: number;
}

/**
 * Chooses how many trees of every conditional make the network, from the curves alone (paper section 3). The same
 * curves give the same selection on every machine. 10,000 dimensions of 1,000 rounds take seconds.
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
    const rounds = pooledRounds(curves, longestOfPaper(curves));
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

/**
 * The most that one of the paper's selections keeps of a dimension: trees are refitted for those, and serve every
 * selection that keeps no more.
 */
function longestOfPaper(curves: readonly DimensionCurves[]): Uint32Array {
  const kept = paperSelections.map((method) => select(method, curves, { pathPoints: 2 }).rounds);
  return kept[0]!.map((_, dimension) => kept.reduce((most, rounds) => Math.max(most, rounds[dimension]!), 0));
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

/** `t_d = argmax_t` of the validation curve of dimension `d`, the fewest trees among equals. O(DT). */
function individualRounds(curves: readonly DimensionCurves[]): Uint32Array {
  return Uint32Array.from(curves, ({ valid }) => placeOfGreatest(valid));
}
