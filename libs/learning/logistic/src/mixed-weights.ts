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
