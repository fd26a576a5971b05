import type { Design } from './design.js';
import { Descent } from './descent.js';
import type { LogisticWeights } from './logistic-weights.js';

export interface PathOptions {
  /** λ of the weights over that of the intercept (thesis 5.5). @default 10 */
  readonly interceptScaling?: number;
  /** By what share of λ a slope may miss what it is at the minimum. @default 0.01 */
  readonly tolerance?: number;
}

/**
 * The weights that minimize Σ_n log(1 + exp(-y_n (a_0 + aᵀ x_n))) + (λ / scaling) |a_0| + λ |a|_1, y and x as ±1
 * (Goessling's thesis, 5.2.3), for one λ after the other, each from the weights before it.
 *
 * Coordinate descent on squares that touch the loss (Friedman, Hastie, Tibshirani 2010). Predictors are tried that the
 * strong rules keep (Tibshirani and others 2012), and all are held against the condition of a minimum at the end:
 * |slope| <= λ where a weight is 0, slope = λ sign where not, to `tolerance` λ. Nothing but + - * / and this project's
 * exp and log: the same bits everywhere.
 *
 * @param penalties λ, positive, descending
 */
export function* fitPath(
  design: Design,
  penalties: readonly number[],
  { interceptScaling = 10, tolerance = 0.01 }: PathOptions = {},
): Generator<LogisticWeights, void, undefined> {
  const descent = new Descent(design);
  let before: number | null = null;
  for (const penalty of penalties) {
    descent.settle(penalty, penalty / interceptScaling, tolerance, before);
    before = penalty;
    yield descent.weights;
  }
}
