import { listCells } from './cells';
import { codeOf, commonOf } from './groups';
import { writeCodes } from './codes';
import { NO_ROW, State, TABLE_ENTRIES } from './state';

/**
 * Folding a byte table costs as much as this many additions to entries more than folding nibble tables, which take two
 * additions an entry: a node with fewer entries than that for each byte of the predictors is summed by nibbles.
 */
const NIBBLE_LIMIT: f64 = 100.0;
/**
 * Likewise: nodes of fewer patterns a predictor are added to the histogram bit by bit, without tables.
 */
const GROUP_LIMIT: f64 = 0.4;

/** Patterns and bytes of a square that is transposed at once. */
const SIDE: u32 = 16;
const SQUARE_BYTES: usize = SIDE * SIDE;

/**
 * Transposes the patterns' packed predictors to bit columns, 16 patterns by 16 bytes at a time: the square of bytes
 * first, then each byte's bits.
 */
function buildColumns(state: State): void {
  const bytes = (state.predictors + 7) >>> 3;
  const square = state.scratch; // free between trees, and larger than two squares
  for (let first: u32 = 0; first < state.patternEnd; first += SIDE) {
    for (let byte: u32 = 0; byte < bytes; byte += SIDE) {
      loadSquare(state, first, byte, square);
      interleave(square, square + SQUARE_BYTES);
      interleave(square + SQUARE_BYTES, square);
      interleave(square, square + SQUARE_BYTES);
      interleave(square + SQUARE_BYTES, square);
      storeColumns(state, first, byte, square);
    }
  }
}

/**
 * Writes 16 bytes of each of 16 patterns; padding has zeros. What lies behind the last predictor's byte is not used.
 */
@inline
function loadSquare(state: State, first: u32, byte: u32, square: usize): void {
  const rows = state.rows + byte;
  const stride = <usize>state.rowStride;
  let patternRow = state.patternRow + (<usize>first << 2);
  for (const end = square + SQUARE_BYTES; square < end; square += SIDE, patternRow += 4) {
    const row = load<u32>(patternRow);
    v128.store(square, row == NO_ROW ? i64x2.splat(0) : v128.load(rows + <usize>row * stride));
  }
}

/** Takes the bytes of the two halves in turns; four times that transposes a square. */
@inline
function interleave(from: usize, to: usize): void {
  for (const end = from + (SQUARE_BYTES >>> 1); from < end; from += 16, to += 32) {
    const a = v128.load(from);
    const b = v128.load(from, SQUARE_BYTES >>> 1);
    v128.store(to, v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
    v128.store(to, v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
  }
}

/**
 * Writes the bits of a transposed square. A byte's bits move up by its own sum, since no instruction of the machine
 * shifts bytes.
 */
@inline
function storeColumns(state: State, first: u32, byte: u32, square: usize): void {
  const maskBytes = <usize>state.maskBytes;
  let column = state.columns + <usize>(byte << 3) * maskBytes + (first >>> 3);
  for (let left = state.predictors - (byte << 3), end = square + SQUARE_BYTES; square < end; square += SIDE) {
    let lanes = v128.load(square);
    if (left < 8) {
      for (; left > 0; left--, column += maskBytes) {
        store<u16>(column, <u16>i8x16.bitmask(lanes));
        lanes = i8x16.add(lanes, lanes);
      }
      return;
    }
    for (let bit = 0; bit < 8; bit++, column += maskBytes) {
      store<u16>(column, <u16>i8x16.bitmask(lanes));
      lanes = i8x16.add(lanes, lanes);
    }
    left -= 8;
  }
}

/** How many table entries a row has: its non-zero bytes, or its codes other than the most frequent; 0 in a table. */
export function entriesOfRow(state: State, row: u32): u32 {
  let entries: u32 = 0;
  if (state.fieldTotal) return entries;
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
  const moves = state.scratch; // free between trees, and larger
  writeMoves(moves);
  for (let pattern: u32 = 0; pattern < state.trainingEnd; pattern++) {
    store<u32>(state.entryStarts + (<usize>pattern << 2), <u32>entry);
    const row = load<u32>(state.patternRow + (<usize>pattern << 2));
    if (row == NO_ROW) continue;
    if (state.groupCount) entry = listCodes<T>(state, row, entry);
    else entry = state.cellCount ? listCells<T>(state, row, entry) : listBytes(state, row, entry, moves);
  }
  store<u32>(state.entryStarts + (<usize>state.trainingEnd << 2), <u32>entry);
  state.smallSize = smallSize(state, <f64>(entry - state.entries) / sizeof<T>());
}

/**
 * For every set of the eight lanes of a vector of u16, the bytes that bring the lanes of the set to the front, 16 of
 * them.
 */
function writeMoves(moves: usize): void {
  for (let set: u32 = 0; set < 256; set++) {
    let at = moves + (<usize>set << 4);
    for (let rest = set; rest; rest &= rest - 1, at += 2) {
      const low = ctz(rest) << 1;
      store<u16>(at, <u16>(low | ((low + 1) << 8)));
    }
  }
}

/**
 * Eight bytes at a time: their entries are moved together, and all eight are written though the next ones overwrite the
 * surplus.
 */
@inline
function listBytes(state: State, row: u32, entry: usize, moves: usize): usize {
  const tables = i16x8.mul(i16x8(0, 1, 2, 3, 4, 5, 6, 7), i16x8.splat(<i16>TABLE_ENTRIES));
  const start = state.rows + <usize>row * state.rowStride;
  const bytes = (state.predictors + 7) >>> 3;
  for (let byte: u32 = 0; byte < bytes; byte += 8) {
    const values = v128.load_ext<u8>(start + byte);
    const within: u32 = bytes - byte < 8 ? (1 << (bytes - byte)) - 1 : 0xff;
    const set = <u32>i16x8.bitmask(i16x8.ne(values, i64x2.splat(0))) & within;
    const entries = i16x8.add(i16x8.add(values, tables), i16x8.splat(<i16>(byte * TABLE_ENTRIES)));
    v128.store(entry, v128.swizzle(entries, v128.load(moves + (<usize>set << 4))));
    entry += <usize>popcnt(set) << 1;
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

/** Below how many training patterns a node is summed without the byte tables (see nibbles.ts). */
function smallSize(state: State, entries: f64): u32 {
  if (state.groupCount) return <u32>(GROUP_LIMIT * <f64>state.predictors);
  return entries > 0.0 ? <u32>((NIBBLE_LIMIT * ((state.predictors + 7) >>> 3) * state.trainingEnd) / entries) : 0;
}

/**
 * Writes the predictors of all patterns, in their present order: their own codes, or bit columns, and entries of those in
 * training.
 */
export function writePredictors(state: State): void {
  if (state.fieldTotal) {
    writeCodes(state);
    state.smallSize = 0;
    return;
  }
  buildColumns(state);
  if (state.wideEntries) listEntries<u32>(state);
  else listEntries<u16>(state);
}
