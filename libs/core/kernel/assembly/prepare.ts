import { allowAll } from './allowed';
import { numberCells } from './cells';
import { canDefer, NOTHING, PASS } from './deferred';
import { useGroups } from './groups';
import { isConstant } from './labels';
import { takeFields } from './own-fields';
import { orderPatterns, tallyPatterns } from './patterns';
import { MOST_ODDS } from './odds';
import { writePredictors } from './predictors';
import { passRows } from './rows';
import {
  CLASSES,
  classStart,
  FIRST_REORDERING,
  sizeOfClass,
  State,
  TABLE_ENTRIES,
  TEST_ONE,
  TEST_ZERO,
  TRAIN_ONE,
  TRAIN_ZERO,
  VALID_ONE,
  VALID_ZERO,
} from './state';

/** So many codes have entries of two bytes. */
const MOST_NARROW: u32 = 0x10000;

/**
 * A padded pattern must change no sum: odds of 0 (y = 0) and 2^900 (y = 1) have a likelihood of 1 and no gradient.
 * Where there are counts, theirs are 0.
 */
function startOdds(state: State, odds: f64): void {
  for (let index: u32 = 0; index < CLASSES; index++) {
    const start = classStart(state, index);
    const size = sizeOfClass(state, index);
    const end = classStart(state, index + 1);
    const isZero = index == TRAIN_ZERO || index == VALID_ZERO || index == TEST_ZERO;
    const isOne = index == TRAIN_ONE || index == VALID_ONE || index == TEST_ONE;
    const padding: f64 = isZero ? 0.0 : isOne ? MOST_ODDS : 1.0;
    for (let pattern = start; pattern < end; pattern++)
      store<f64>(state.odds + (<usize>pattern << 3), pattern - start < size ? odds : padding);
  }
}

/**
 * Makes the conditional of the present labels on the first `predictors` columns current: patterns, their columns and
 * entries, the odds before the first tree, and their gradients and likelihoods. `growing` says that trees will be
 * grown, not given; `alike` that no tree goes before those and that all rows have the same odds; `deferring` that what
 * follows a given tree need not be computed before it is asked for.
 */
export function prepare(
  state: State,
  predictors: u32,
  pooled: bool,
  growing: bool,
  alike: bool,
  deferring: bool,
  odds: f64,
): void {
  // no split of a constant target gains anything, so its rows are one pattern without predictors
  state.predictors = growing && alike && isConstant(state, pooled) ? 0 : predictors;
  const patterns = tallyPatterns(state, pooled);
  if (state.fieldTotal) {
    orderPatterns(state, patterns);
    takeFields(state, growing);
  } else {
    useGroups(state);
    orderPatterns(state, patterns);
    sizeEntries(state);
  }
  allowAll(state);
  writePredictors(state);
  state.rounds = 0;
  state.areRowsMapped = 0;
  state.reorderAt = FIRST_REORDERING;
  startOdds(state, odds);
  state.isFollowing = 0;
  state.mayDefer = deferring && canDefer(state) ? 1 : 0;
  state.deferred = state.mayDefer ? PASS : NOTHING;
  if (!state.mayDefer) passRows(state, false);
}

/** How wide the table entries of rows of bits are, and whether they are cells. */
function sizeEntries(state: State): void {
  const tables = state.groupCount ? state.groupCount : (state.predictors + 7) >>> 3;
  let codes = tables * TABLE_ENTRIES;
  state.cellCount = 0;
  if (codes > MOST_NARROW && state.groupCount == 0) {
    numberCells(state);
    codes = state.cellCount;
  }
  state.wideEntries = codes > MOST_NARROW ? 1 : 0;
  state.histogramStride = ((state.predictors + 7) & ~7) << 4;
}
