import { askedBundle, askPredictor, halvesAt, writeHalves } from './answers';
import { BLOCK } from './codes';
import { CLASSES, classStart, sizeOfClass, State } from './state';

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
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const block = v128.load(codes + bundle);
  const low = v128.and(block, i8x16.splat(15));
  const high = v128.and(i16x8.shr_u(block, 4), i8x16.splat(15));
  const isUpper = i8x16.lt_s(block, i8x16.splat(0));
  const eight = v128.bitselect(v128.swizzle(v128.load(step, 16), low), v128.swizzle(v128.load(step), low), isUpper);
  const bit = v128.swizzle(bits, high);
  return <u32>i8x16.bitmask(i8x16.eq(v128.and(eight, bit), bit));
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

const MOST: f64 = 8.452712498170644e270; // 2^900
const LEAST: f64 = 1.1830521861667747e-271; // 2^-900

/** Multiplies the odds of every pattern by the factor of its leaf, two at a time. */
export function applyByBlocks(state: State): void {
  const factors = state.leafFactors;
  for (let index: u32 = 0; index < CLASSES; index++) {
    const start = <usize>classStart(state, index);
    // the other one of the last pair may be padding, which keeps within the bounds and changes no sum
    const end = start + ((<usize>sizeOfClass(state, index) + 1) & ~1);
    for (let pattern = start; pattern < end; pattern += 2) {
      const leaves = state.leafOfPattern + pattern;
      const first = v128.load64_zero(factors + (<usize>load<u8>(leaves) << 3));
      const both = v128.load64_lane(factors + (<usize>load<u8>(leaves, 1) << 3), first, 1);
      const at = state.odds + (pattern << 3);
      const odds = f64x2.mul(v128.load(at), both);
      v128.store(at, f64x2.pmin(f64x2.splat(MOST), f64x2.pmax(f64x2.splat(LEAST), odds)));
    }
  }
}
