import {
  CLASSES,
  classStart,
  HELD_OUT_COUNTED,
  MASK_BITS,
  State,
  TABLE_ENTRIES,
  TEST_ONE,
  TEST_ZERO,
  TRAIN_MIXED,
  TRAIN_ONE,
  TRAIN_PURE_ONE,
  TRAIN_PURE_ZERO,
  TRAIN_ZERO,
  VALID_ONE,
  VALID_ZERO,
} from './state';

/**
 * Folding a byte table costs as much as this many additions to entries more than folding nibble tables, which take two
 * additions an entry: a node with fewer entries than that for each byte of the predictors is summed by nibbles.
 */
const NIBBLE_LIMIT: f64 = 170.0;
/** Bytes of a pattern's tallies: rows and ones (u32) of training, validation, test. */
const TALLY: usize = 24;
/** Odds of 2^900: a probability of 1. */
const CERTAIN: f64 = 8.452712498170644e270;
/** No pattern: marks padding. */
const NONE: u32 = 0xffffffff;

function classOf(tally: usize): u32 {
  const train = load<u32>(tally);
  const valid = load<u32>(tally, 8);
  const rows = train + valid + load<u32>(tally, 16);
  const ones = load<u32>(tally, 4) + load<u32>(tally, 12) + load<u32>(tally, 20);
  if (train > 0) {
    if (rows == 1) return TRAIN_ZERO + ones;
    return ones == 0 ? TRAIN_PURE_ZERO : ones == rows ? TRAIN_PURE_ONE : TRAIN_MIXED;
  }
  if (rows > 1) return HELD_OUT_COUNTED;
  return valid > 0 ? VALID_ZERO + ones : TEST_ZERO + ones;
}

/** Finds the patterns: rows are sorted, so rows that agree in the first `predictors` bits are neighbours. O(rows). */
function tallyPatterns(state: State, predictors: u32, pooled: bool): u32 {
  const rows = state.rows + (state.position >>> 3);
  const shift: u8 = <u8>(7 - (state.position & 7));
  const stride = <usize>state.rowStride;
  let patterns: u32 = 0;
  let tally = state.tallies - TALLY;
  for (let row: u32 = 0, end = state.rowCount; row < end; row++) {
    if (row == 0 || load<u32>(state.sharedBits + (<usize>row << 2)) < predictors) {
      tally += TALLY;
      memory.fill(tally, 0, TALLY);
      store<u32>(state.scratch + (<usize>patterns << 2), row);
      patterns++;
    }
    let split = <usize>load<u8>(state.splits + row);
    if (pooled && split == 1) split = 0;
    const one = <u32>((load<u8>(rows + <usize>row * stride) >> shift) & 1);
    const at = tally + (split << 3);
    store<u32>(at, load<u32>(at) + 1);
    store<u32>(at, load<u32>(at, 4) + one, 4);
  }
  return patterns;
}

/** Entries of a pattern up to this number are told apart when patterns are ordered. */
const LENGTHS: u32 = 64;
/** Counts of a pattern that are told apart: training rows up to 15, validation and test rows up to 3. */
const SIGNATURES: u32 = 256;

/** How many of a row's predictor bytes are not zero. */
function entriesOf(row: usize, bytes: u32): u32 {
  let entries: u32 = 0;
  for (let byte: u32 = 0; byte < bytes; byte++) entries += load<u8>(row + byte) != 0 ? 1 : 0;
  return entries;
}

function signatureOf(tally: usize): u32 {
  return (min<u32>(load<u32>(tally), 15) << 4) | (min<u32>(load<u32>(tally, 8), 3) << 2) | min<u32>(load<u32>(tally, 16), 3);
}

/** Turns the sizes of buckets into where each begins. */
function startBuckets(buckets: usize, count: u32): void {
  let start: u32 = 0;
  for (let at = buckets, end = buckets + (<usize>count << 2); at < end; at += 4) {
    const size = load<u32>(at);
    store<u32>(at, start);
    start += size;
  }
}

@inline
function increment(at: usize): u32 {
  const value = load<u32>(at);
  store<u32>(at, value + 1);
  return value;
}

/** The patterns in the order of their number of entries; those of equal number keep theirs. */
function orderByEntries(state: State, patterns: u32, order: usize): void {
  const bytes = (state.predictors + 7) >>> 3;
  const buckets = state.buckets;
  const keys = state.odds; // free until the odds are set
  memory.fill(buckets, 0, LENGTHS << 2);
  for (let pattern: u32 = 0; pattern < patterns; pattern++) {
    const row = load<u32>(state.scratch + (<usize>pattern << 2));
    const key = min(LENGTHS - 1, entriesOf(state.rows + <usize>row * state.rowStride, bytes));
    store<u32>(keys + (<usize>pattern << 3), key);
    increment(buckets + (<usize>key << 2));
  }
  startBuckets(buckets, LENGTHS);
  for (let pattern: u32 = 0; pattern < patterns; pattern++) {
    const bucket = buckets + (<usize>load<u32>(keys + (<usize>pattern << 3)) << 2);
    store<u32>(order + (<usize>increment(bucket) << 2), pattern);
  }
}

/**
 * Orders the patterns by class, within a class by their counts, then by the number of their entries, and writes the counts
 * of those that need any. Equal counts together let one logarithm serve many patterns; loops over entries run a
 * predictable number of times (a mispredicted end costs as much as ten entries).
 */
function orderPatterns(state: State, patterns: u32): void {
  const starts = state.classStarts;
  const sizes = state.classSizes;
  const buckets = state.buckets;
  const order = state.lists; // free until a tree is grown
  const keys = state.odds;
  orderByEntries(state, patterns, order);
  memory.fill(sizes, 0, (CLASSES + 1) << 2);
  memory.fill(buckets, 0, (CLASSES * SIGNATURES) << 2);
  for (let pattern: u32 = 0; pattern < patterns; pattern++) {
    const tally = state.tallies + <usize>pattern * TALLY;
    const index = classOf(tally);
    const key = index * SIGNATURES + signatureOf(tally);
    store<u32>(keys + (<usize>pattern << 3), key);
    increment(sizes + (<usize>index << 2));
    increment(buckets + (<usize>key << 2));
  }
  startBuckets(buckets, CLASSES * SIGNATURES);
  let start: u32 = 0;
  let padding: u32 = 0;
  for (let index: u32 = 0; index <= CLASSES; index++) {
    store<u32>(starts + (<usize>index << 2), start);
    if (index == VALID_ZERO) state.trainingEnd = start;
    const size = load<u32>(sizes + (<usize>index << 2));
    const padded = (size + MASK_BITS - 1) & ~(MASK_BITS - 1);
    if (index < CLASSES) {
      // buckets of later classes begin behind the padding of earlier ones
      const first = buckets + (<usize>(index * SIGNATURES) << 2);
      for (let at = first, end = first + (SIGNATURES << 2); at < end; at += 4) store<u32>(at, load<u32>(at) + padding);
    }
    padding += padded - size;
    start += padded;
  }
  state.patternEnd = load<u32>(starts + (CLASSES << 2));
  state.maskBytes = state.patternEnd >>> 3;
  memory.fill(state.patternRow, 0xff, <usize>state.patternEnd << 2);
  const countedPatterns =
    state.trainingEnd - classStart(state, TRAIN_PURE_ZERO) + state.patternEnd - classStart(state, HELD_OUT_COUNTED);
  state.countStride = countedPatterns << 3;
  memory.fill(state.counts, 0, 6 * <usize>state.countStride);
  for (let rank: u32 = 0; rank < patterns; rank++) {
    const pattern = load<u32>(order + (<usize>rank << 2));
    const key = load<u32>(keys + (<usize>pattern << 3));
    const place = increment(buckets + (<usize>key << 2));
    store<u32>(state.patternRow + (<usize>place << 2), load<u32>(state.scratch + (<usize>pattern << 2)));
    const index = key / SIGNATURES;
    if ((index >= TRAIN_PURE_ZERO && index <= TRAIN_MIXED) || index == HELD_OUT_COUNTED) {
      let count = countsOf(state, place);
      const tally = state.tallies + <usize>pattern * TALLY;
      for (let field: usize = 0; field < 6; field++, count += state.countStride)
        store<f64>(count, <f64>load<u32>(tally + (field << 2)));
    }
  }
}

/** Where a counted pattern's first count lies; those of held-out patterns follow those of training patterns. */
export function countsOf(state: State, pattern: u32): usize {
  const counted = classStart(state, TRAIN_PURE_ZERO);
  const slot =
    pattern < state.trainingEnd
      ? pattern - counted
      : state.trainingEnd - counted + pattern - classStart(state, HELD_OUT_COUNTED);
  return state.counts + (<usize>slot << 3);
}

/** Transposes the patterns' packed predictors to bit columns, 16 patterns by 8 predictors at a time. */
function buildColumns(state: State): void {
  const bytes = (state.predictors + 7) >>> 3;
  const stride = <usize>state.rowStride;
  const maskBytes = <usize>state.maskBytes;
  for (let first: u32 = 0; first < state.patternEnd; first += 16) {
    const patternRow = state.patternRow + (<usize>first << 2);
    for (let byte: u32 = 0; byte < bytes; byte++) {
      let lanes = i64x2.splat(0);
      const rows = state.rows + byte;
      lanes = withByte(lanes, rows, stride, patternRow);
      const predictorEnd = min(8, state.predictors - (byte << 3));
      let column = state.columns + <usize>(byte << 3) * maskBytes + (first >>> 3);
      for (let bit: u32 = 0; bit < predictorEnd; bit++) {
        store<u16>(column, <u16>i8x16.bitmask(lanes));
        lanes = i8x16.shl(lanes, 1);
        column += maskBytes;
      }
    }
  }
}

@inline
function byteAt(rows: usize, stride: usize, patternRow: usize, lane: usize): u8 {
  const row = load<u32>(patternRow + (lane << 2));
  return row == NONE ? 0 : load<u8>(rows + <usize>row * stride);
}

@inline
function withByte(empty: v128, rows: usize, stride: usize, patternRow: usize): v128 {
  let lanes = i8x16.replace_lane(empty, 0, byteAt(rows, stride, patternRow, 0));
  lanes = i8x16.replace_lane(lanes, 1, byteAt(rows, stride, patternRow, 1));
  lanes = i8x16.replace_lane(lanes, 2, byteAt(rows, stride, patternRow, 2));
  lanes = i8x16.replace_lane(lanes, 3, byteAt(rows, stride, patternRow, 3));
  lanes = i8x16.replace_lane(lanes, 4, byteAt(rows, stride, patternRow, 4));
  lanes = i8x16.replace_lane(lanes, 5, byteAt(rows, stride, patternRow, 5));
  lanes = i8x16.replace_lane(lanes, 6, byteAt(rows, stride, patternRow, 6));
  lanes = i8x16.replace_lane(lanes, 7, byteAt(rows, stride, patternRow, 7));
  lanes = i8x16.replace_lane(lanes, 8, byteAt(rows, stride, patternRow, 8));
  lanes = i8x16.replace_lane(lanes, 9, byteAt(rows, stride, patternRow, 9));
  lanes = i8x16.replace_lane(lanes, 10, byteAt(rows, stride, patternRow, 10));
  lanes = i8x16.replace_lane(lanes, 11, byteAt(rows, stride, patternRow, 11));
  lanes = i8x16.replace_lane(lanes, 12, byteAt(rows, stride, patternRow, 12));
  lanes = i8x16.replace_lane(lanes, 13, byteAt(rows, stride, patternRow, 13));
  lanes = i8x16.replace_lane(lanes, 14, byteAt(rows, stride, patternRow, 14));
  return i8x16.replace_lane(lanes, 15, byteAt(rows, stride, patternRow, 15));
}

/** Lists the non-zero bytes of each training pattern's predictors as table entries: all-zero bytes cost nothing later. */
function listEntries<T>(state: State): void {
  const bytes = (state.predictors + 7) >>> 3;
  let entry = state.entries;
  for (let pattern: u32 = 0; pattern < state.trainingEnd; pattern++) {
    store<u32>(state.entryStarts + (<usize>pattern << 2), <u32>entry);
    const row = load<u32>(state.patternRow + (<usize>pattern << 2));
    if (row == NONE) continue;
    const start = state.rows + <usize>row * state.rowStride;
    let table: u32 = 0;
    for (let byte: u32 = 0; byte < bytes; byte++) {
      const value = <u32>load<u8>(start + byte);
      store<T>(entry, <T>(table + value));
      entry += value != 0 ? sizeof<T>() : 0;
      table += TABLE_ENTRIES;
    }
  }
  store<u32>(state.entryStarts + (<usize>state.trainingEnd << 2), <u32>entry);
  const entries = <f64>(entry - state.entries) / sizeof<T>();
  state.nibbleSize = entries > 0.0 ? <u32>((NIBBLE_LIMIT * bytes * state.trainingEnd) / entries) : 0;
}

/**
 * A padded pattern must change no sum: odds of 0 (y = 0) and 2^900 (y = 1) have a likelihood of 1 and no gradient. Where
 * there are counts, theirs are 0.
 */
function startOdds(state: State, odds: f64): void {
  for (let index: u32 = 0; index < CLASSES; index++) {
    const start = load<u32>(state.classStarts + (<usize>index << 2));
    const size = load<u32>(state.classSizes + (<usize>index << 2));
    const end = load<u32>(state.classStarts + (<usize>(index + 1) << 2));
    const isZero = index == TRAIN_ZERO || index == VALID_ZERO || index == TEST_ZERO;
    const isOne = index == TRAIN_ONE || index == VALID_ONE || index == TEST_ONE;
    const padding: f64 = isZero ? 0.0 : isOne ? CERTAIN : 1.0;
    for (let pattern = start; pattern < end; pattern++)
      store<f64>(state.odds + (<usize>pattern << 3), pattern - start < size ? odds : padding);
  }
}

/**
 * Makes the conditional at `position` current: patterns, their columns and entries, and the odds before the first tree.
 * `growing` says that trees will be grown, not given.
 */
export function prepare(state: State, position: u32, pooled: bool, growing: bool, odds: f64): void {
  state.position = position;
  let patterns = tallyPatterns(state, 0, pooled);
  const rows = load<u32>(state.tallies);
  const ones = load<u32>(state.tallies, 4);
  // no split of a constant target gains anything, so its rows are one pattern without predictors
  const constant = growing && (ones == 0 || ones == rows);
  state.predictors = constant ? 0 : position;
  if (state.predictors > 0) patterns = tallyPatterns(state, position, pooled);
  orderPatterns(state, patterns);
  state.wideEntries = ((state.predictors + 7) >>> 3) * TABLE_ENTRIES > 0x10000 ? 1 : 0;
  state.histogramStride = ((state.predictors + 7) & ~7) << 4;
  buildColumns(state);
  if (state.wideEntries) listEntries<u32>(state);
  else listEntries<u16>(state);
  startOdds(state, odds);
}
