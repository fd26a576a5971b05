import { BLOCK, codesAt } from './codes';
import { leavesOfBlock, STEP_BYTES, writeSteps } from './leaves-by-block';
import { applyPair } from './odds';
import { countsOf, isCounted } from './patterns';
import { passRows, residualOf, weightOf } from './rows';
import { classStart, GRID, sizeOfClass, State, TRAIN_ONE, TRAINING_CLASSES } from './state';

// Given trees on a table's rows, as a refit has them: of each only the sums of its leaves are asked for. One pass over
// the patterns multiplies their odds by the factors of the tree before, sorts them into the leaves of the next, and sums
// there the residuals and weights that follow. No node, no gradient is kept, and likelihoods are computed when they are
// asked for. Sums are exact, so that the way to them changes no bit.

/** `deferred` of a state: nothing is; the pass for gradients and likelihoods; and before it the last tree's factors. */
export const NOTHING: u32 = 0;
export const PASS: u32 = 1;
export const FACTORS: u32 = 2;

/** A tree of more leaves is followed node by node: here every pattern is asked for every split. */
export const MOST_DEFERRED: u32 = 32;

/** Whether given trees may be deferred: there is no pattern without training rows. */
export function canDefer(state: State): bool {
  return state.fieldTotal != 0 && state.trainingEnd == state.patternEnd;
}

// Gradients are not kept meanwhile, so that there is room for what a pass needs: more than this for the padding alone.
const SUMS: usize = <usize>MOST_DEFERRED * STEP_BYTES;
/** Of padding, which is in no leaf. */
const NO_LEAF: u32 = MOST_DEFERRED;
/** Two sums a leaf, so that a pattern need not wait for the one before it. */
const SUM_BYTES: usize = 32;
const FACTORS_AT: usize = SUMS + (<usize>NO_LEAF + 1) * SUM_BYTES;
const NEXT_AT: usize = FACTORS_AT + ((<usize>NO_LEAF + 1) << 3);

@inline
function leavesAt(state: State, pattern: u32): usize {
  return state.lists + pattern;
}

/** Puts the factors that are to be applied where padding has one too. */
function writeFactors(state: State): usize {
  const factors = state.gradients + FACTORS_AT;
  memory.copy(factors, state.leafFactors, <usize>state.leafCount << 3);
  store<f64>(factors + (<usize>NO_LEAF << 3), 1.0);
  return factors;
}

@inline
function addTo(sum: usize, gradient: v128): void {
  v128.store(sum, f64x2.add(v128.load(sum), gradient));
}

/** @param factors of the tree before, 0 where none are to be applied */
@inline
function passClass(state: State, index: u32, stepsEnd: usize, factors: usize, counted: bool): void {
  const one = f64x2.splat(1.0);
  const grid = f64x2.splat(load<f64>(state.numbers, GRID));
  const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const steps = state.gradients;
  const sums = steps + SUMS;
  const nextLeaves = steps + NEXT_AT;
  const start = classStart(state, index);
  const end = start + sizeOfClass(state, index);
  const stride = <usize>state.countStride;
  let rows = one;
  let ones = f64x2.splat(index == TRAIN_ONE ? 1.0 : 0.0);
  let counts: usize = counted ? countsOf(state, start) : 0;
  for (let first = start; first < end; first += BLOCK) {
    const left = min(end - first, BLOCK);
    const leaves = leavesAt(state, first);
    let next = leavesOfBlock(steps, stepsEnd, codesAt(state, first));
    if (left < BLOCK) {
      const isPadding = i8x16.ge_u(lanes, i8x16.splat(<i8>left));
      next = v128.bitselect(i8x16.splat(<i8>NO_LEAF), next, isPadding);
    }
    v128.store(nextLeaves, next);
    let at = state.odds + (<usize>first << 3);
    const pairsEnd = at + (((<usize>left + 1) & ~1) << 3);
    for (let before = leaves, leaf = nextLeaves; at < pairsEnd; at += 16, before += 2, leaf += 2) {
      const odds = factors ? applyPair(at, before, factors) : v128.load(at);
      const q = f64x2.div(one, f64x2.add(one, odds));
      const p = f64x2.mul(odds, q);
      if (counted) {
        rows = v128.load(counts);
        ones = v128.load(counts + stride);
        counts += 16;
      }
      const residual = residualOf(rows, ones, p, grid);
      const weight = weightOf(rows, p, q, grid);
      addTo(sums + <usize>load<u8>(leaf) * SUM_BYTES, v128.shuffle<f64>(residual, weight, 0, 2));
      addTo(sums + <usize>load<u8>(leaf, 1) * SUM_BYTES + 16, v128.shuffle<f64>(residual, weight, 1, 3));
    }
    v128.store(leaves, next);
  }
}

/** Applies what is deferred, sorts the patterns into the leaves of a given tree, and writes their sums to `leafSums`. */
export function followDeferred(state: State, leaves: u32): void {
  const factors = state.deferred == FACTORS ? writeFactors(state) : 0;
  const steps = state.gradients;
  const sums = steps + SUMS;
  writeSteps(state, steps, leaves);
  memory.fill(sums, 0, <usize>leaves * SUM_BYTES);
  const stepsEnd = steps + <usize>(leaves - 1) * STEP_BYTES;
  for (let index: u32 = 0; index < TRAINING_CLASSES; index++) {
    if (isCounted(index)) passClass(state, index, stepsEnd, factors, true);
    else passClass(state, index, stepsEnd, factors, false);
  }
  for (let leaf: usize = 0; leaf < leaves; leaf++) {
    const sum = sums + leaf * SUM_BYTES;
    v128.store(state.leafSums + (leaf << 4), f64x2.add(v128.load(sum), v128.load(sum, 16)));
  }
  state.leafCount = leaves;
  state.isFollowing = 1;
  state.deferred = PASS;
}

/** Does what is deferred: gradients and likelihoods are then those of the present odds. */
export function settle(state: State): void {
  if (state.deferred == NOTHING) return;
  if (state.deferred == FACTORS) {
    const factors = writeFactors(state);
    for (let index: u32 = 0; index < TRAINING_CLASSES; index++) {
      const start = classStart(state, index);
      for (let pattern = start, end = start + sizeOfClass(state, index); pattern < end; pattern += 2)
        applyPair(state.odds + (<usize>pattern << 3), leavesAt(state, pattern), factors);
    }
  }
  state.deferred = NOTHING;
  passRows(state, false);
}
