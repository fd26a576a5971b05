import { weighByRows } from './first-order';
import { reachingRow, reachingRows } from './labels';
import { MOST_LEAVES, sortByBlocks } from './leaves-by-block';
import { countPatterns } from './patterns';
import { writePredictors } from './predictors';
import {
  CLASSES,
  classStart,
  GRADIENT_SUM,
  GRID,
  MASK_BITS,
  NO_ROW,
  State,
  TRAIN_PURE_ZERO,
  TRAIN_ZERO,
} from './state';
import { follow, grow, sortInto } from './tree';

// A tree on some of the training rows. They are laid out as a small data set of their own, each a pattern by itself,
// and the tree grows on it as on any other; then all rows are sorted into its leaves. So a sample of a tenth of the
// rows costs a tenth of the search and one pass of all rows through the finished tree.

/** Which pattern each row that reaches the conditional belongs to: rows of a pattern follow its first one. */
function mapRows(state: State): void {
  const patternOf = state.patternOfRow;
  const end = reachingRows(state);
  for (let place: u32 = 0; place < end; place++)
    store<u32>(patternOf + (<usize>reachingRow(state, place) << 2), NO_ROW);
  for (let pattern: u32 = 0; pattern < state.patternEnd; pattern++) {
    const row = load<u32>(state.patternRow + ((<usize>pattern) << 2));
    if (row != NO_ROW) store<u32>(patternOf + ((<usize>row) << 2), pattern);
  }
  let current = NO_ROW;
  for (let place: u32 = 0; place < end; place++) {
    const at = patternOf + (<usize>reachingRow(state, place) << 2);
    const own = load<u32>(at);
    if (own != NO_ROW) current = own;
    store<u32>(at, current);
  }
  state.areRowsMapped = 1;
}

/**
 * Puts the sampled rows into the order of their patterns, which after a few trees is that of leaves (reorder.ts): what
 * lies together in the whole lies together in the sample. Rows of patterns with counts stay as they are, at the end.
 */
function orderByPattern(state: State, count: u32): void {
  const marks = state.masks; // a mask over all patterns; masks are free between trees
  const singleEnd = classStart(state, TRAIN_PURE_ZERO);
  const marksEnd = marks + (singleEnd >>> 3);
  memory.fill(marks, 0, marksEnd - marks);
  const rows = state.sampledRows;
  const rowsEnd = rows + (<usize>count << 2);
  const counted = state.scratch; // u32 per pattern or more, as `lists`
  let others = counted;
  for (let at = rows; at < rowsEnd; at += 4) {
    const row = load<u32>(at);
    const pattern = load<u32>(state.patternOfRow + (<usize>row << 2));
    if (pattern < singleEnd) {
      const mark = marks + (pattern >>> 3);
      store<u8>(mark, <u8>(<u32>load<u8>(mark) | (<u32>1 << (pattern & 7))));
    } else {
      store<u32>(others, row);
      others += 4;
    }
  }
  let at = rows;
  let patternRow = state.patternRow;
  for (let mark = marks; mark < marksEnd; mark += 8, patternRow += 256) {
    for (let word = load<u64>(mark); word; word &= word - 1, at += 4)
      store<u32>(at, load<u32>(patternRow + (<usize>ctz(word) << 2)));
  }
  memory.copy(at, counted, others - counted);
}

/** Writes (residual, weight) of each sampled row and their sum, as the pass over all rows has them. */
function sumGradients(state: State, count: u32): void {
  const grid = load<f64>(state.numbers, GRID);
  let residuals: f64 = 0.0;
  let weights: f64 = 0.0;
  let gradient = state.gradients;
  let rows = state.patternRow;
  for (const end = rows + ((<usize>count) << 2); rows < end; rows += 4, gradient += 16) {
    const row = <usize>load<u32>(rows);
    const pattern = <usize>load<u32>(state.patternOfRow + (row << 2));
    const odds = load<f64>(state.odds + (pattern << 3));
    const q = 1.0 / (1.0 + odds);
    const p = odds * q;
    const residual = <f64>load<u8>(state.labels + row) - (p + grid - grid);
    const weight = p * q + grid - grid;
    store<f64>(gradient, residual);
    store<f64>(gradient, weight, 8);
    residuals += residual;
    weights += weight;
  }
  store<f64>(state.numbers, residuals, GRADIENT_SUM);
  store<f64>(state.numbers, weights, GRADIENT_SUM + 8);
}

/** Makes the sample one class of single patterns, padded to whole masks. */
function layOut(state: State, count: u32): void {
  const end = (count + MASK_BITS - 1) & ~(MASK_BITS - 1);
  memory.fill(state.patternRow + ((<usize>count) << 2), 0xff, (<usize>(end - count)) << 2);
  memory.fill(state.gradients + ((<usize>count) << 4), 0, (<usize>(end - count)) << 4);
  for (let index: u32 = 0; index <= CLASSES; index++) {
    store<u32>(state.classStarts + ((<usize>index) << 2), index == TRAIN_ZERO ? 0 : end);
    store<u32>(state.classSizes + ((<usize>index) << 2), index == TRAIN_ZERO ? count : 0);
  }
  countPatterns(state);
}

@inline
function exchange(state: State, one: usize, other: usize): void {
  const at = changetype<usize>(state);
  const before = load<usize>(at + one);
  store<usize>(at + one, load<usize>(at + other));
  store<usize>(at + other, before);
}

/** Puts the sample where the patterns are, on which trees grow, or back. */
function exchangePatterns(state: State): void {
  exchange(state, offsetof<State>('codes'), offsetof<State>('sampledCodes'));
  exchange(state, offsetof<State>('columns'), offsetof<State>('sampledColumns'));
  exchange(state, offsetof<State>('entries'), offsetof<State>('sampledEntries'));
  exchange(state, offsetof<State>('entryStarts'), offsetof<State>('sampledEntryStarts'));
  exchange(state, offsetof<State>('gradients'), offsetof<State>('sampledGradients'));
  exchange(state, offsetof<State>('patternRow'), offsetof<State>('sampledRows'));
  exchange(state, offsetof<State>('classStarts'), offsetof<State>('sampledClassStarts'));
  exchange(state, offsetof<State>('classSizes'), offsetof<State>('sampledClassSizes'));
}

/**
 * Grows one tree on the training rows that the host wrote to `sampledRows`, and sorts all rows into its leaves; the sums
 * of the leaves are those of the sample.
 *
 * @param byResiduals as `growFirstOrder` has it
 */
export function growOn(state: State, count: u32, byResiduals: bool): void {
  if (!state.areRowsMapped) mapRows(state);
  orderByPattern(state, count);
  const smallSize = state.smallSize;
  exchangePatterns(state);
  layOut(state, count);
  writePredictors(state);
  sumGradients(state, count);
  if (byResiduals) {
    weighByRows(state);
    grow(state);
    sumGradients(state, count);
    follow(state, state.leafCount);
  } else grow(state);
  exchangePatterns(state);
  countPatterns(state);
  state.smallSize = smallSize;
  if (state.fieldTotal && state.leafCount <= MOST_LEAVES) {
    state.isGrown = 0;
    sortByBlocks(state);
  } else sortInto(state, state.leafCount);
}
