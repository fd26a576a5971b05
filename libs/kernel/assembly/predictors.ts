import { PLAIN } from './fold-groups';
import { codeOf, commonOf, groupAt } from './groups';
import { NO_ROW, State, TABLE_ENTRIES } from './state';

/**
 * Folding a byte table costs as much as this many additions to entries more than folding nibble tables, which take two
 * additions an entry: a node with fewer entries than that for each byte of the predictors is summed by nibbles.
 */
const NIBBLE_LIMIT: f64 = 100.0;
/**
 * Likewise: nodes of fewer patterns a predictor are added to the histogram bit by bit, without tables. Fewer still where a
 * pattern has more bits than entries: among the bits `x > c` of a variable half are 1.
 */
const GROUP_LIMIT: f64 = 0.4;
/** A pattern's bits are counted in so many of them. */
const COUNTED_PATTERNS: u32 = 64;

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
  return row == NO_ROW ? 0 : load<u8>(rows + <usize>row * stride);
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

/** How many table entries a row has: its non-zero bytes, or its codes other than the most frequent. */
export function entriesOfRow(state: State, row: u32): u32 {
  let entries: u32 = 0;
  if (state.groupCount != 0) {
    for (let group: u32 = 0; group < state.groupCount; group++)
      entries += codeOf(state, row, group) != commonOf(state, group) ? 1 : 0;
  } else {
    const start = state.rows + <usize>row * state.rowStride;
    const bytes = (state.predictors + 7) >>> 3;
    for (let byte: u32 = 0; byte < bytes; byte++) entries += load<u8>(start + byte) != 0 ? 1 : 0;
  }
  return entries;
}

/** Lists the table entries of each training pattern: all-zero bytes, or the most frequent codes, cost nothing later. */
function listEntries<T>(state: State): void {
  let entry = state.entries;
  for (let pattern: u32 = 0; pattern < state.trainingEnd; pattern++) {
    store<u32>(state.entryStarts + (<usize>pattern << 2), <u32>entry);
    const row = load<u32>(state.patternRow + (<usize>pattern << 2));
    if (row == NO_ROW) continue;
    entry = state.groupCount ? listCodes<T>(state, row, entry) : listBytes<T>(state, row, entry);
  }
  store<u32>(state.entryStarts + (<usize>state.trainingEnd << 2), <u32>entry);
  state.smallSize = smallSize(state, <f64>(entry - state.entries) / sizeof<T>());
}

@inline
function listBytes<T>(state: State, row: u32, entry: usize): usize {
  const start = state.rows + <usize>row * state.rowStride;
  const bytes = (state.predictors + 7) >>> 3;
  let table: u32 = 0;
  for (let byte: u32 = 0; byte < bytes; byte++) {
    const value = <u32>load<u8>(start + byte);
    store<T>(entry, <T>(table + value));
    entry += value != 0 ? sizeof<T>() : 0;
    table += TABLE_ENTRIES;
  }
  return entry;
}

@inline
function listCodes<T>(state: State, row: u32, entry: usize): usize {
  let table: u32 = 0;
  for (let group: u32 = 0; group < state.groupCount; group++) {
    const code = codeOf(state, row, group);
    store<T>(entry, <T>(table + code));
    entry += code != commonOf(state, group) ? sizeof<T>() : 0;
    table += TABLE_ENTRIES;
  }
  return entry;
}

/** Below how many training patterns a node is summed without the byte tables (see histogram.ts). */
function smallSize(state: State, entries: f64): u32 {
  if (state.groupCount) {
    const share = isChained(state) ? min(1.0, entries / max(1.0, bitsOfPatterns(state))) : 1.0;
    return <u32>(GROUP_LIMIT * <f64>state.predictors * share);
  }
  return entries > 0.0 ? <u32>((NIBBLE_LIMIT * ((state.predictors + 7) >>> 3) * state.trainingEnd) / entries) : 0;
}

function isChained(state: State): bool {
  for (let group: u32 = 0; group < state.groupCount; group++) if (groupAt(state, group).folding != PLAIN) return true;
  return false;
}

/** How many predictors of the training patterns are 1, judged by some of the patterns. */
function bitsOfPatterns(state: State): f64 {
  let bits: u32 = 0;
  let counted: u32 = 0;
  const step = max<u32>(1, state.trainingEnd / COUNTED_PATTERNS);
  for (let pattern: u32 = 0; pattern < state.trainingEnd; pattern += step) {
    const row = load<u32>(state.patternRow + (<usize>pattern << 2));
    if (row == NO_ROW) continue;
    counted++;
    const start = state.rows + <usize>row * state.rowStride;
    for (let byte: u32 = 0; byte < state.predictors >>> 3; byte++) bits += <u32>popcnt(<u32>load<u8>(start + byte));
  }
  return counted == 0 ? 0.0 : (<f64>bits * state.trainingEnd) / counted;
}

/** Writes the predictors of all patterns, in their present order: bit columns, and entries of those in training. */
export function writePredictors(state: State): void {
  buildColumns(state);
  if (state.wideEntries) listEntries<u32>(state);
  else listEntries<u16>(state);
}
