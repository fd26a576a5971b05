import { askedBundle, askPredictor, halvesAt, isRange, onesOfLanes, writeHalves } from './answers';
import { BLOCK, codesAt } from './codes';
import { State } from './state';

// All patterns of a table through a finished tree, a block of sixteen after another: its codes are read once and side
// by side, whatever the number of splits. Going from split to split reads a few bytes here and there of all codes each
// time, which takes several times as long; but a tree that grows does not know its later splits.

/** Of each block every split is looked at, so that trees of more leaves are sorted split by split. */
export const MOST_LEAVES: u32 = 64;

/**
 * Bytes of a split: what `writeHalves` has of its answers, then u32 of where its codes lie in a block, of its leaf, and
 * whether its answers are a range.
 */
export const STEP_BYTES: usize = 48;

/** Writes to `steps` what each split of the last tree asks. */
export function writeSteps(state: State, steps: usize, leaves: u32): void {
  for (let split: usize = 0; split + 1 < <usize>leaves; split++) {
    const step = steps + split * STEP_BYTES;
    askPredictor(state, load<u32>(state.splitPredictors + (split << 2)));
    store<u32>(step, load<u32>(state.splitLeaves + (split << 2)), 36);
    store<u32>(step, isRange ? 1 : 0, 40);
    if (askedBundle < 0) {
      // one answer, whatever the code
      memory.fill(step, load<u8>(state.answers) ? 0xff : 0, 32);
      store<u32>(step, 0, 32);
      continue;
    }
    writeHalves(state);
    memory.copy(step, halvesAt(state), 32);
    store<u32>(step, <u32>askedBundle * BLOCK, 32);
  }
}

/** The leaves of the sixteen patterns of a block, a byte each. */
@inline
export function leavesOfBlock(steps: usize, end: usize, codes: usize): v128 {
  let leaves = i64x2.splat(0);
  let fresh = i8x16.splat(0);
  for (let step = steps; step < end; step += STEP_BYTES) {
    fresh = i8x16.add(fresh, i8x16.splat(1));
    const at = codes + <usize>load<u32>(step, 32);
    const lower = v128.load(step);
    const upper = v128.load(step, 16);
    // every block has the same ranges, so that a processor knows the way
    const ones = load<u32>(step, 40) ? onesOfLanes(at, lower, upper, true) : onesOfLanes(at, lower, upper, false);
    const isThere = i8x16.eq(leaves, v128.load8_splat(step + 36));
    leaves = v128.bitselect(fresh, leaves, v128.and(ones, isThere));
  }
  return leaves;
}

/** Writes to `leafOfPattern` the leaf of the last tree that each pattern of a table is in, padding too. */
export function sortByBlocks(state: State): void {
  writeSteps(state, state.steps, state.leafCount);
  const stepsEnd = state.steps + <usize>(state.leafCount - 1) * STEP_BYTES;
  for (let first: u32 = 0; first < state.patternEnd; first += BLOCK)
    v128.store(state.leafOfPattern + first, leavesOfBlock(state.steps, stepsEnd, codesAt(state, first)));
  state.isSortedByBlocks = 1;
}
