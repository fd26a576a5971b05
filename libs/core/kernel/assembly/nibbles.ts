import { foldThreeBits } from './histogram';
import { State, TABLE_BYTES, TABLE_ENTRIES } from './state';

// Nibble tables for small nodes: 16 entries for each half of a byte, so that folding costs an eighth. Upper nibbles lie
// first, at `code` without its last four bits; lower ones behind them, 256 bytes a predictor byte.

/** Bytes of the upper-nibble entries of one predictor byte: 16 of them and one of padding. */
const NIBBLE_BYTES: usize = TABLE_BYTES >>> 4;

/** The code that the entry of a cell would have in tables of all values. */
@inline
function codeOfCell(state: State, cell: u32): u32 {
  return load<u32>(state.cellCodes + (<usize>cell << 2));
}

@inline
function addPatternByNibbles<T>(state: State, pattern: u32, upper: usize, lower: usize, isCell: bool): void {
  const gradient = v128.load(state.gradients + (<usize>pattern << 4));
  const starts = state.entryStarts + (<usize>pattern << 2);
  const end = <usize>load<u32>(starts, 4);
  let entry = <usize>load<u32>(starts);
  for (; entry + sizeof<T>() < end; entry += 2 * sizeof<T>()) {
    addNibbles<T>(state, entry, upper, lower, isCell, gradient);
    addNibbles<T>(state, entry + sizeof<T>(), upper, lower, isCell, gradient);
  }
  if (entry < end) addNibbles<T>(state, entry, upper, lower, isCell, gradient);
}

@inline
function addNibbles<T>(state: State, entry: usize, upper: usize, lower: usize, isCell: bool, gradient: v128): void {
  const code = isCell ? codeOfCell(state, <u32>load<T>(entry)) : <u32>load<T>(entry);
  const high = upper + (code & ~15);
  const low = lower + (((code / TABLE_ENTRIES) << 8) | ((code & 15) << 4));
  v128.store(high, f64x2.add(v128.load(high), gradient));
  v128.store(low, f64x2.add(v128.load(low), gradient));
}

@inline
function lowerNibbles(state: State): usize {
  return state.tables + <usize>((state.predictors + 7) >>> 3) * NIBBLE_BYTES;
}

/** @param isCell whether entries are cells (cells.ts) */
export function addMaskByNibbles<T>(state: State, mask: usize, isCell: bool): void {
  const upper = state.tables;
  const lower = lowerNibbles(state);
  for (let first: u32 = 0, end = state.trainingEnd; first < end; first += 64) {
    let word = load<u64>(mask + (first >>> 3));
    while (word) {
      addPatternByNibbles<T>(state, first + <u32>ctz(word), upper, lower, isCell);
      word &= word - 1;
    }
  }
}

export function addListByNibbles<T>(state: State, list: usize, size: u32, isCell: bool): void {
  const upper = state.tables;
  const lower = lowerNibbles(state);
  for (let at = list, end = list + (<usize>size << 2); at < end; at += 4)
    addPatternByNibbles<T>(state, load<u32>(at), upper, lower, isCell);
}

/** As `foldTables`, for nibble tables; the upper nibble holds a byte's first four predictors. */
export function foldNibbles(state: State, histogram: usize): void {
  let upper = state.tables;
  let lower = lowerNibbles(state);
  for (const end = histogram + state.histogramStride; histogram < end; histogram += 128) {
    foldNibble(upper, histogram);
    foldNibble(lower, histogram + 64);
    upper += NIBBLE_BYTES;
    lower += 256;
  }
}

@inline
function foldNibble(table: usize, sums: usize): void {
  foldThreeBits(table, 32, sums);
  v128.store(sums, v128.load(table, 16), 48);
  v128.store(table, i64x2.splat(0));
  v128.store(table, i64x2.splat(0), 16);
}
