import { arrangeRows } from './arrange';
import { prepare as prepareConditional } from './prepare';
import { reorderWhenDue } from './reorder';
import { passRows } from './rows';
import { State } from './state';
import { applyFactors, follow as followTree, grow as growTree } from './tree';

/** Sorts the rows of all splits (see arrange.ts). */
export function arrange(state: State, unsorted: usize, scratch: usize, train: u32, valid: u32, dimensions: u32): void {
  arrangeRows(state, unsorted, scratch, train, valid, dimensions);
}

/** Makes the conditional at `position` current, at the given odds. */
export function prepare(state: State, position: u32, pooled: bool, growing: bool, odds: f64): void {
  prepareConditional(state, position, pooled, growing, odds);
  passRows(state);
}

export function grow(state: State): void {
  growTree(state);
}

export function follow(state: State, leaves: u32): void {
  followTree(state, leaves);
}

/** Applies the factors of the last tree and computes the gradients and likelihoods that follow. */
export function apply(state: State): void {
  applyFactors(state);
  reorderWhenDue(state);
  passRows(state);
}
