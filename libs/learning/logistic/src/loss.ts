import { exp, log1p } from '@orchard/numerics';
import type { Design } from './design.js';
import type { LogisticWeights } from './logistic-weights.js';

/** log(1 + e^x), without overflow. */
function softplus(x: number): number {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/** Log-odds of each group: a_0 + Σ a_j x_j, predictors as ±1. */
export function logOddsInto(
  design: Design,
  { intercept, predictors, weights }: LogisticWeights,
  odds: Float64Array,
): void {
  const { starts, members, signs } = design;
  let base = intercept;
  for (let at = 0; at < predictors.length; at++) base -= signs[predictors[at]!]! * weights[at]!;
  odds.fill(base);
  for (let at = 0; at < predictors.length; at++) {
    const column = predictors[at]!;
    const twice = 2 * signs[column]! * weights[at]!;
    for (let member = starts[column]!; member < starts[column + 1]!; member++) odds[members[member]!]! += twice;
  }
}

/** Summed -log P(target | predictors) of all rows, nats. */
export function lossOf(design: Design, weights: LogisticWeights): number {
  const { trials, ones } = design;
  const odds = new Float64Array(trials.length);
  logOddsInto(design, weights, odds);
  let loss = 0;
  for (let group = 0; group < odds.length; group++)
    loss += trials[group]! * softplus(odds[group]!) - ones[group]! * odds[group]!;
  return loss;
}
