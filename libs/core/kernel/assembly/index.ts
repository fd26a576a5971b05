import { FACTORS, followDeferred, MOST_DEFERRED, NOTHING, settle } from './deferred';
import { applyFactors } from './odds';
import { reorderWhenDue } from './reorder';
import { passRows } from './rows';
import { GRID, L2, MIN_LEAF_WEIGHT, State } from './state';
import { clearTables, follow as followByNodes, ownTables, sortInto, willSumRoot } from './tree';

export { allow, allowAll } from './allowed';
export { arrange } from './arrange';
export { growFirstOrder } from './first-order';
export { labelByColumn, reach } from './labels';
export { placeShared, placeWorkspace } from './layout';
export { settle } from './deferred';
export { countOnes } from './ones';
export { prepare } from './prepare';
export { growOn } from './sample';
export { grow, sortInto } from './tree';
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
  if (state.deferred == NOTHING) passRows(state, false);
}

/** Sorts the patterns into the leaves of a given tree, and sums their gradients (refit, replay). */
export function follow(state: State, leaves: u32): void {
  if (state.mayDefer && leaves <= MOST_DEFERRED) {
    followDeferred(state, leaves);
    return;
  }
  settle(state);
  followByNodes(state, leaves);
}

/** Applies the factors of a given tree; gradients and likelihoods stay those of before until the next `apply`. */
export function applyOnly(state: State, leaves: u32): void {
  sortInto(state, leaves);
  applyFactors(state);
}

/**
 * Applies the factors of a given tree as the round that it was, order of the patterns included; gradients and
 * likelihoods stay those of before until the next `apply`.
 */
export function applyAgain(state: State, leaves: u32): void {
  applyOnly(state, leaves);
  reorderWhenDue(state);
}

/** Applies the factors of the last tree and computes the gradients and likelihoods that follow. */
export function apply(state: State): void {
  if (state.isFollowing) {
    state.deferred = FACTORS;
    return;
  }
  applyFactors(state);
  reorderWhenDue(state);
  clearTables(state);
  passRows(state, willSumRoot(state));
}
