import { ENTRY_SHIFT, State, TABLE_ENTRIES } from './state';

/** Bytes of one table: 256 entries of (S, W) and the padding. */
const TABLE_BYTES: usize = <usize>TABLE_ENTRIES << ENTRY_SHIFT;

/** Adds one pattern's (residual, weight) to the table entry of each of its non-zero bytes. */
@inline
function addPattern<T>(state: State, pattern: u32, tables: usize): void {
  const gradient = v128.load(state.gradients + (<usize>pattern << 4));
  const starts = state.entryStarts + (<usize>pattern << 2);
  let entry = <usize>load<u32>(starts);
  const end = <usize>load<u32>(starts, 4);
  for (; entry < end; entry += sizeof<T>()) {
    const cell = tables + (<usize>load<T>(entry) << ENTRY_SHIFT);
    v128.store(cell, f64x2.add(v128.load(cell), gradient));
  }
}

/** Adds the training patterns of a mask. */
export function addMask<T>(state: State, mask: usize): void {
  const tables = state.tables;
  for (let first: u32 = 0, end = state.trainingEnd; first < end; first += 64) {
    let word = load<u64>(mask + (first >>> 3));
    while (word) {
      addPattern<T>(state, first + <u32>ctz(word), tables);
      word &= word - 1;
    }
  }
}

/** Adds the patterns of a list of u32. */
export function addList<T>(state: State, list: usize, size: u32): void {
  const tables = state.tables;
  for (let at = list, end = list + (<usize>size << 2); at < end; at += 4) addPattern<T>(state, load<u32>(at), tables);
}

/**
 * Turns the byte tables into (S, W) of the 1 side of every predictor, and leaves them zero.
 *
 * A table's entries are indexed by the byte's value, most significant bit = first predictor. Folding the upper half onto
 * the lower one sums that bit out: 255 additions a table for the folds, as many for the sums.
 */
export function foldTables(state: State, histogram: usize): void {
  let table = state.tables;
  for (const end = histogram + state.histogramStride; histogram < end; table += TABLE_BYTES) {
    for (let half: usize = 2048; half >= 16; half >>>= 1) {
      let sum = f64x2.splat(0.0);
      for (let low = table, stop = table + half; low < stop; low += 16) {
        const high = v128.load(low + half);
        sum = f64x2.add(sum, high);
        v128.store(low, f64x2.add(v128.load(low), high));
      }
      v128.store(histogram, sum);
      histogram += 16;
    }
    memory.fill(table, 0, 4096);
  }
}

/** Nibble tables for small nodes: 16 entries for each half of a byte, so that folding costs an eighth. */
@inline
function addPatternByNibbles<T>(state: State, pattern: u32, tables: usize): void {
  const gradient = v128.load(state.gradients + (<usize>pattern << 4));
  const starts = state.entryStarts + (<usize>pattern << 2);
  const end = <usize>load<u32>(starts, 4);
  for (let entry = <usize>load<u32>(starts); entry < end; entry += sizeof<T>()) {
    const code = <u32>load<T>(entry);
    const byte = code / TABLE_ENTRIES;
    const value = code - byte * TABLE_ENTRIES;
    const low = tables + (<usize>byte << 9) + ((value & 15) << 4);
    const high = tables + (<usize>byte << 9) + 256 + ((value >>> 4) << 4);
    v128.store(low, f64x2.add(v128.load(low), gradient));
    v128.store(high, f64x2.add(v128.load(high), gradient));
  }
}

export function addListByNibbles<T>(state: State, list: usize, size: u32): void {
  const tables = state.tables;
  for (let at = list, end = list + (<usize>size << 2); at < end; at += 4)
    addPatternByNibbles<T>(state, load<u32>(at), tables);
}

export function foldNibbles(state: State, histogram: usize): void {
  let table = state.tables;
  for (const end = histogram + state.histogramStride; histogram < end; table += 512) {
    // the upper nibble holds the byte's first four predictors
    for (let nibble = table + 256; nibble >= table; nibble -= 256) {
      for (let half: usize = 128; half >= 16; half >>>= 1) {
        let sum = f64x2.splat(0.0);
        for (let low = nibble, stop = nibble + half; low < stop; low += 16) {
          const high = v128.load(low + half);
          sum = f64x2.add(sum, high);
          v128.store(low, f64x2.add(v128.load(low), high));
        }
        v128.store(histogram, sum);
        histogram += 16;
      }
    }
  }
  memory.fill(state.tables, 0, table - state.tables);
}

/** The sum of a node's gradients, from which the root's totals come. */
export function totalGradient(state: State): v128 {
  let total = f64x2.splat(0.0);
  for (let at = state.gradients, end = at + (<usize>state.trainingEnd << 4); at < end; at += 16)
    total = f64x2.add(total, v128.load(at));
  return total;
}
