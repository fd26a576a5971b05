import { foldByte } from './histogram';
import { NO_ROW, State, TABLE_ENTRIES } from './state';

// Byte tables of thousands of predictors outgrow a processor's second-level cache, though most of their entries stand
// for values that never occur. Then the values that occur have cells that lie together, byte after byte, instead of the
// tables.

/** Bytes of u32 for every value of a byte. */
const BYTE_VALUES: usize = 256 << 2;

/** Where u32 lie for every byte and value, by the number of tables. */
export function cellBytes(tables: u64): u64 {
  return tables * BYTE_VALUES;
}

/**
 * Numbers the values that occur among training patterns, byte by byte; the all-zero byte has no cell. O(patterns x
 * bytes).
 */
export function numberCells(state: State): void {
  const bytes = (state.predictors + 7) >>> 3;
  const cells = state.cells;
  memory.fill(cells, 0, bytes * BYTE_VALUES);
  for (let pattern: u32 = 0; pattern < state.trainingEnd; pattern++) {
    const row = load<u32>(state.patternRow + (<usize>pattern << 2));
    if (row == NO_ROW) continue;
    const start = state.rows + <usize>row * state.rowStride;
    for (let byte: u32 = 0, at = cells; byte < bytes; byte++, at += BYTE_VALUES)
      store<u32>(at + (<usize>load<u8>(start + byte) << 2), 1);
  }
  let count: u32 = 0;
  for (let byte: u32 = 0; byte < bytes; byte++) {
    for (let value: u32 = 1; value < 256; value++) {
      const cell = cells + byte * BYTE_VALUES + (<usize>value << 2);
      if (!load<u32>(cell)) continue;
      store<u32>(cell, count);
      store<u32>(state.cellCodes + (<usize>count << 2), byte * TABLE_ENTRIES + value);
      count++;
    }
  }
  // behind the last byte's
  store<u32>(state.cellCodes + (<usize>count << 2), 0xffffffff);
  state.cellCount = count;
}

/** Lists the cells of a row. @returns where they end */
@inline
export function listCells<T>(state: State, row: u32, entry: usize): usize {
  const start = state.rows + <usize>row * state.rowStride;
  const bytes = (state.predictors + 7) >>> 3;
  for (let byte: u32 = 0, at = state.cells; byte < bytes; byte++, at += BYTE_VALUES) {
    const value = <usize>load<u8>(start + byte);
    store<T>(entry, <T>load<u32>(at + (value << 2)));
    entry += value != 0 ? sizeof<T>() : 0;
  }
  return entry;
}

/**
 * Turns the cells into (S, W) of the 1 side of every predictor, byte by byte through a table of all values, and leaves
 * them zero.
 */
export function foldCells(state: State, histogram: usize): void {
  const table = state.byteTable;
  const zero = i64x2.splat(0);
  let cell = state.tables;
  let code = state.cellCodes;
  for (let end: u32 = TABLE_ENTRIES, last = histogram + state.histogramStride; histogram < last; end += TABLE_ENTRIES) {
    const base = end - TABLE_ENTRIES;
    for (; load<u32>(code) < end; code += 4, cell += 16) {
      v128.store(table + (<usize>(load<u32>(code) - base) << 4), v128.load(cell));
      v128.store(cell, zero);
    }
    foldByte(table, histogram);
    histogram += 128;
  }
}
