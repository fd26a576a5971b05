import { fieldsBefore } from './fields';
import { reachingRow, reachingRows } from './labels';
import { entriesOfRow } from './predictors';
import {
  CLASSES,
  classStart,
  HELD_OUT_COUNTED,
  MASK_BITS,
  NO_ROW,
  SIGNATURES,
  sizeOfClass,
  State,
  TEST_ZERO,
  TRAIN_MIXED,
  TRAIN_PURE_ONE,
  TRAIN_PURE_ZERO,
  TRAIN_ZERO,
  TRAINING_CLASSES,
  VALID_ZERO,
} from './state';

/** Bytes of a pattern's tallies: rows and ones (u32) of training, validation, test. */
export const TALLY: usize = 24;

/** Of a counted pattern: the same, f64. */
export const COUNT_BYTES: u64 = 48;

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

/** Whether two rows agree in whole bytes from the first on, and in these bits of the next one. */
function agree(first: usize, second: usize, bytes: usize, lastBits: u8): bool {
  let at: usize = 0;
  for (; at + 8 <= bytes; at += 8) if (load<u64>(first + at) != load<u64>(second + at)) return false;
  for (; at < bytes; at++) if (load<u8>(first + at) != load<u8>(second + at)) return false;
  return lastBits == 0 || ((load<u8>(first + at) ^ load<u8>(second + at)) & lastBits) == 0;
}

/**
 * Finds the patterns: rows are sorted, so rows that agree in the first `predictors` bits are neighbours. Of neighbours
 * it is known how many bits they share; those between which others do not reach the conditional are compared.
 * O(rows that reach it).
 */
export function tallyPatterns(state: State, pooled: bool): u32 {
  const predictors = state.predictors;
  const isTable = state.fieldTotal != 0;
  const bytes = <usize>(isTable ? fieldsBefore(state, predictors) : predictors >>> 3);
  const lastBits: u8 = isTable ? 0 : <u8>(0xff00 >>> (predictors & 7));
  let patterns: u32 = 0;
  let tally = state.tallies - TALLY;
  let before = NO_ROW;
  for (let place: u32 = 0, end = reachingRows(state); place < end; place++) {
    const row = reachingRow(state, place);
    const isSame =
      before + 1 == row
        ? before != NO_ROW && load<u32>(state.sharedBits + (<usize>row << 2)) >= predictors
        : before != NO_ROW && agree(rowAt(state, before), rowAt(state, row), bytes, lastBits);
    before = row;
    if (!isSame) {
      tally += TALLY;
      memory.fill(tally, 0, TALLY);
      store<u32>(state.scratch + (<usize>patterns << 2), row);
      patterns++;
    }
    let split = <usize>load<u8>(state.splits + row);
    if (pooled && split == 1) split = 0;
    const at = tally + (split << 3);
    store<u32>(at, load<u32>(at) + 1);
    store<u32>(at, load<u32>(at, 4) + <u32>load<u8>(state.labels + row), 4);
  }
  return patterns;
}

@inline
function rowAt(state: State, row: u32): usize {
  return state.rows + <usize>row * state.rowStride;
}

/** Entries of a pattern up to this number are distinguished when patterns are ordered. */
export const LENGTHS: u32 = 64;

function signatureOf(tally: usize): u32 {
  return (min<u32>(load<u32>(tally), 15) << 4) | (min<u32>(load<u32>(tally, 8), 3) << 2) | min<u32>(load<u32>(tally, 16), 3);
}

/** Turns the sizes of buckets into where each begins. */
export function startBuckets(buckets: usize, count: u32): void {
  let start: u32 = 0;
  for (let at = buckets, end = buckets + (<usize>count << 2); at < end; at += 4) {
    const size = load<u32>(at);
    store<u32>(at, start);
    start += size;
  }
}

@inline
export function increment(at: usize): u32 {
  const value = load<u32>(at);
  store<u32>(at, value + 1);
  return value;
}

/** The patterns in the order of their number of entries; those of equal number keep theirs. */
function orderByEntries(state: State, patterns: u32, order: usize): void {
  const buckets = state.buckets;
  const keys = state.odds; // free until the odds are set
  memory.fill(buckets, 0, LENGTHS << 2);
  for (let pattern: u32 = 0; pattern < patterns; pattern++) {
    const row = load<u32>(state.scratch + (<usize>pattern << 2));
    const key = min(LENGTHS - 1, entriesOfRow(state, row));
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
 * Orders the patterns by class, within a class by their counts, then by the number of their entries, and writes the
 * counts of those that need any. Equal counts together let one logarithm serve many patterns; loops over entries run a
 * predictable number of times (a mispredicted end costs as much as ten entries).
 */
export function orderPatterns(state: State, patterns: u32): void {
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
  startClasses(state);
  countPatterns(state);
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
    store<u16>(state.patternKeys + (<usize>place << 1), <u16>key);
    if (isCounted(key / SIGNATURES)) {
      let count = countsOf(state, place);
      const tally = state.tallies + <usize>pattern * TALLY;
      for (let field: usize = 0; field < 6; field++, count += state.countStride)
        store<f64>(count, <f64>load<u32>(tally + (field << 2)));
    }
  }
}

/** Starts each class at a whole mask, and moves the buckets of later classes behind the padding of earlier ones. */
function startClasses(state: State): void {
  let start: u32 = 0;
  let padding: u32 = 0;
  for (let index: u32 = 0; index <= CLASSES; index++) {
    store<u32>(state.classStarts + (<usize>index << 2), start);
    const size = sizeOfClass(state, index);
    const padded = (size + MASK_BITS - 1) & ~(MASK_BITS - 1);
    if (index < CLASSES) {
      const first = state.buckets + (<usize>(index * SIGNATURES) << 2);
      for (let at = first, end = first + (SIGNATURES << 2); at < end; at += 4) store<u32>(at, load<u32>(at) + padding);
    }
    padding += padded - size;
    start += padded;
  }
}

/** What follows from where classes start and from their sizes. */
export function countPatterns(state: State): void {
  state.trainingPatterns = 0;
  for (let index: u32 = 0; index < TRAINING_CLASSES; index++) state.trainingPatterns += sizeOfClass(state, index);
  state.trainingEnd = classStart(state, TRAINING_CLASSES);
  state.patternEnd = classStart(state, CLASSES);
  state.maskBytes = state.patternEnd >>> 3;
}

/** Whether patterns of the class have counts. */
@inline
export function isCounted(index: u32): bool {
  return (index >= TRAIN_PURE_ZERO && index <= TRAIN_MIXED) || index == HELD_OUT_COUNTED;
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

