import { allowAll as allowAllPredictors, allowPredictors } from './allowed';
import { arrangeRows } from './arrange';
import { growByResiduals } from './first-order';
import { prepare as prepareConditional } from './prepare';
import { reorderWhenDue } from './reorder';
import { passRows } from './rows';
import { growOnSample } from './sample';
import { GRID, L2, MIN_LEAF_WEIGHT, State } from './state';
import { applyFactors, clearTables, follow as followTree, grow as growTree, ownTables, sortInto, willSumRoot } from './tree';

export { labelByColumn, reach } from './labels';
export { placeShared, placeWorkspace } from './layout';
export { countOnes } from './ones';
export * from './exported';

/** Sorts the rows of all splits (see arrange.ts). */
export function arrange(
  state: State,
  unsorted: usize,
  scratch: usize,
  train: u32,
  valid: u32,
  dimensions: u32,
): void {
  arrangeRows(state, unsorted, scratch, train, valid, dimensions);
}

/** How trees are grown from now on; `grid` is G of the exact sums. Byte tables become zero. */
export function setGrowth(state: State, leaves: u32, minLeafWeight: f64, l2: f64, grid: f64): void {
  state.leafLimit = leaves;
  store<f64>(state.numbers, grid, GRID);
  store<f64>(state.numbers, l2, L2);
  store<f64>(state.numbers, minLeafWeight, MIN_LEAF_WEIGHT);
  state.isGrown = 0;
  ownTables(state);
}

/** Makes the conditional of the present labels on the first `predictors` columns current, at the given odds. */
export function prepare(state: State, predictors: u32, pooled: bool, growing: bool, alike: bool, odds: f64): void {
  prepareConditional(state, predictors, pooled, growing, alike, odds);
  passRows(state, false);
}

/** Computes the gradients and likelihoods of odds that the host wrote after `prepare`. */
export function restart(state: State): void {
  passRows(state, false);
}

/** The next tree may use the predictors of which the host wrote a 1 to `scores`, a byte each. */
export function allow(state: State): void {
  allowPredictors(state);
}

/** The next tree may use every predictor, as after `prepare`. */
export function allowAll(state: State): void {
  allowAllPredictors(state);
}

export function grow(state: State): void {
  growTree(state);
}

/** As `grow`, with structures by residuals alone. */
export function growFirstOrder(state: State): void {
  growByResiduals(state);
}

/** As `grow`, on so many rows that the host wrote to `sampledRows`; `byResiduals` as `growFirstOrder`. */
export function growOn(state: State, count: u32, byResiduals: bool): void {
  growOnSample(state, count, byResiduals);
}

export function follow(state: State, leaves: u32): void {
  followTree(state, leaves);
}

/** Applies the factors of a given tree; gradients and likelihoods stay those of before until the next `apply`. */
export function applyOnly(state: State, leaves: u32): void {
  sortInto(state, leaves);
  applyFactors(state);
}

/** Sorts the rows into the leaves of a given tree, for `apply`; no gradient is summed. */
export function sort(state: State, leaves: u32): void {
  sortInto(state, leaves);
}

/** Applies the factors of the last tree and computes the gradients and likelihoods that follow. */
export function apply(state: State): void {
  applyFactors(state);
  reorderWhenDue(state);
  clearTables(state);
  passRows(state, willSumRoot(state));
}
