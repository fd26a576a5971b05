/** Log-odds of a target: intercept + Σ weights x_j, predictors as ±1. */
export interface LogisticWeights {
  readonly intercept: number;
  /** Predictors whose weight is not 0, ascending. */
  readonly predictors: Uint32Array;
  readonly weights: Float64Array;
}
