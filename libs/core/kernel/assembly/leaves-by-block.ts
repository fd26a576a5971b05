import { askedBundle, askPredictor, halvesAt, onesOfBlock, writeHalves } from './answers';
import { BLOCK } from './codes';
import { State } from './state';

// All patterns of a table through a finished tree, a block of sixteen after another: its codes are read once and side
// by side, whatever the number of splits. Going from split to split reads a few bytes here and there of all codes each
// time, which takes several times as long; but a tree that grows does not know its later splits.

/** Of each block every split is looked at, so that trees of more leaves are sorted split by split. */
export const MOST_LEAVES: u32 = 64;

/** Bytes of a split: its answers by halves of a code, then u32 of its bundle (or `ALL`, `NONE`) and of its leaf. */
export const STEP_BYTES: usize = 48;

const ALL: u32 = 0xffffffff;
const NONE: u32 = 0xfffffffe;

@inline
function stepAt(state: State, split: u32): usize {
  return state.steps + <usize>split * STEP_BYTES;
}

/** Writes what each split of the last tree asks. */
function writeSteps(state: State): void {
  for (let split: u32 = 0; split + 1 < state.leafCount; split++) {
    const step = stepAt(state, split);
    askPredictor(state, load<u32>(state.splitPredictors + (<usize>split << 2)));
    store<u32>(step, load<u32>(state.splitLeaves + (<usize>split << 2)), 36);
    if (askedBundle < 0) {
      store<u32>(step, load<u8>(state.answers) ? ALL : NONE, 32);
      continue;
    }
    writeHalves(state);
    memory.copy(step, halvesAt(state), 32);
    store<u32>(step, <u32>askedBundle * BLOCK, 32);
  }
}

/** Which of the sixteen patterns of a block have a 1 at the predictor of a split. */
@inline
function onesOf(step: usize, codes: usize): u32 {
  const bundle = load<u32>(step, 32);
  if (bundle >= NONE) return bundle == ALL ? 0xffff : 0;
  return onesOfBlock(codes + bundle, v128.load(step), v128.load(step, 16));
}

/** Writes to `leafOfPattern` the leaf of the last tree that each pattern of a table is in, padding too. */
export function sortByBlocks(state: State): void {
  writeSteps(state);
  const steps = state.steps;
  const stepsEnd = stepAt(state, state.leafCount - 1);
  const membersOfLeaf = state.blockMembers; // u32 per leaf: which patterns of the block it has
  const blockBytes = <usize>state.bundleCount * BLOCK;
  let codes = state.codes;
  let leaves = state.leafOfPattern;
  for (let first: u32 = 0; first < state.patternEnd; first += BLOCK, codes += blockBytes, leaves += BLOCK) {
    store<u32>(membersOfLeaf, 0xffff);
    v128.store(leaves, i64x2.splat(0));
    let fresh = membersOfLeaf + 4;
    let leaf: u8 = 1;
    for (let step = steps; step < stepsEnd; step += STEP_BYTES, fresh += 4, leaf++) {
      const from = membersOfLeaf + (<usize>load<u32>(step, 36) << 2);
      const all = load<u32>(from);
      let ones: u32 = 0;
      if (all) {
        ones = onesOf(step, codes) & all;
        store<u32>(from, all ^ ones);
        if (ones == 0xffff) v128.store(leaves, i8x16.splat(leaf));
        else for (let rest = ones; rest; rest &= rest - 1) store<u8>(leaves + <usize>ctz(rest), leaf);
      }
      store<u32>(fresh, ones);
    }
  }
  state.isSortedByBlocks = 1;
}
