import { applyFactors } from './odds';
import { reorderWhenDue } from './reorder';
import { passRows } from './rows';
import { GRID, L2, MIN_LEAF_WEIGHT, State } from './state';
import { clearTables, ownTables, sortInto, willSumRoot } from './tree';

export { allow, allowAll } from './allowed';
export { arrange } from './arrange';
export { growFirstOrder } from './first-order';
export { labelByColumn, reach } from './labels';
export { placeShared, placeWorkspace } from './layout';
export { countOnes } from './ones';
export { prepare } from './prepare';
export { growOn } from './sample';
export { follow, grow, sortInto } from './tree';
export * from './exported';

/** How trees are grown from now on; `grid` is G of the exact sums. Byte tables become zero. */
export function setGrowth(state: State, leaves: u32, minLeafWeight: f64, l2: f64, grid: f64): void {
  state.leafLimit = leaves;
  store<f64>(state.numbers, grid, GRID);
  store<f64>(state.numbers, l2, L2);
  store<f64>(state.numbers, minLeafWeight, MIN_LEAF_WEIGHT);
  state.isGrown = 0;
  ownTables(state);
}

/** Computes the gradients and likelihoods of odds that the host wrote after `prepare`. */
export function restart(state: State): void {
  passRows(state, false);
}

/** Applies the factors of a given tree; gradients and likelihoods stay those of before until the next `apply`. */
export function applyOnly(state: State, leaves: u32): void {
  sortInto(state, leaves);
  applyFactors(state);
}

/** Applies the factors of the last tree and computes the gradients and likelihoods that follow. */
export function apply(state: State): void {
  applyFactors(state);
  reorderWhenDue(state);
  clearTables(state);
  passRows(state, willSumRoot(state));
}
