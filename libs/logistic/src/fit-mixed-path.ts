import type { PathOptions } from './fit-path.js';
import type { MixedDesign } from './mixed-design.js';
import { MixedDescent } from './mixed-descent.js';

/** What components have in common: nothing, weights, or as much as lowers the penalty. */
export type Tying = 'untied' | 'tied' | 'auto';

/** Log-odds of a target under component h: common + own[h] + Σ (shared_j + own_jh) x_j, predictors as ±1. */
export interface MixedWeights {
  /** 0 unless tying is `auto`. */
  readonly intercept: number;
  readonly intercepts: Float64Array;
  /** Predictors whose shared weight is not 0, ascending. */
  readonly predictors: Uint32Array;
  readonly weights: Float64Array;
  /** Components and predictors whose own weight is not 0: by predictor, then component. */
  readonly own: {
    readonly components: Uint32Array;
    readonly predictors: Uint32Array;
    readonly weights: Float64Array;
  };
}

/**
 * As `fitPath`, of rows that are shared out among components, all of them at once (Goessling's thesis, 5.3): weights that minimize the sum over components
 * and rows of share × log(1 + exp(-y_n log-odds)), plus λ for the size of each shared and each own weight, plus λ / scaling for that of each intercept. `untied` has
 * no shared weights, `tied` no own ones, `auto` both, and an intercept that all share beside their own.
 *
 * @param penalties λ, positive, descending
 */
export function* fitMixedPath(
  design: MixedDesign,
  penalties: readonly number[],
  tying: Tying,
  { interceptScaling = 10, tolerance = 0.01 }: PathOptions = {},
): Generator<MixedWeights, void, undefined> {
  const descent = new MixedDescent(design, tying);
  let before: number | null = null;
  for (const penalty of penalties) {
    descent.settle(penalty, penalty / interceptScaling, tolerance, before);
    before = penalty;
    yield descent.weights;
  }
}
