import { Refusal } from '@orchard/refusal';

/**
 * The likelihood of one conditional as it grows: summed nats over the rows, point `t` after `t` trees, `T_d + 1`
 * points. Dimensions may end at different rounds (`patience`); the last point is then the dimension's longest model.
 */
export interface DimensionCurves {
  readonly train: Float64Array;
  readonly valid: Float64Array;
}

/** Far beyond any likelihood (rows x 624 nats), and far from overflow in a sum. */
const largestLikelihood = 2 ** 512;

/** The trees that a dimension has on offer, `T_d`. */
export function roundsOf(curves: DimensionCurves): number {
  return curves.train.length - 1;
}

/**
 * Refuses what has no meaning as a curve, in one pass over all points.
 *
 * @throws Refusal `invalid-curves` naming the dimension and the round.
 */
export function checkCurves(curves: readonly DimensionCurves[]): void {
  if (curves.length === 0) {
    throw new Refusal('invalid-curves', {
      got: 'no dimensions',
      expected: 'the curves of at least one dimension',
      remedy: 'Train the dimensions first.',
    });
  }
  for (const [dim, { train, valid }] of curves.entries()) {
    if (train.length === 0 || train.length !== valid.length) {
      throw new Refusal('invalid-curves', {
        got: `a training curve of ${train.length} points and a validation curve of ${valid.length}`,
        expected: 'two curves of equal length with the point of zero trees first',
        where: `dimension ${dim}`,
        remedy: 'Train the dimension again, with a validation split.',
      });
    }
    checkFinite(train, 'training', dim);
    checkFinite(valid, 'validation', dim);
  }
}

function checkFinite(curve: Float64Array, name: string, dim: number): void {
  for (let round = 0; round < curve.length; round += 1) {
    // written so that NaN is refused too
    if (!(Math.abs(curve[round]!) <= largestLikelihood)) {
      throw new Refusal('invalid-curves', {
        got: `${curve[round]!} in the ${name} curve`,
        expected: 'finite log-likelihoods in nats',
        where: `dimension ${dim}, round ${round}`,
        remedy: 'Train the dimension again: a stored curve is damaged.',
      });
    }
  }
}
