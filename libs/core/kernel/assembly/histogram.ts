import { FIELD_TABLE_BYTES } from './bundles';
import { BLOCK, codesAt } from './codes';
import { classStart, ENTRY_SHIFT, sizeOfClass, State, TABLE_BYTES, TRAINING_CLASSES } from './state';

// `T` is the type of an entry: u16 or u32 where those of a row are listed, u8 where a pattern has a code for each
// bundle of a table's fields.

@inline
function addEntry<T>(entry: usize, tables: usize, gradient: v128): void {
  const cell = tables + (<usize>load<T>(entry) << ENTRY_SHIFT);
  v128.store(cell, f64x2.add(v128.load(cell), gradient));
}

/** Adds to the table entry of the code of each bundle; those of one pattern lie `BLOCK` bytes apart. */
@inline
export function addCodes(codes: usize, count: u32, tables: usize, gradient: v128): void {
  let left = count;
  for (; left >= 4; left -= 4, codes += 4 * BLOCK, tables += 4 * FIELD_TABLE_BYTES) addFour(codes, tables, gradient);
  if (left & 2) {
    addTwo(codes, tables, gradient);
    codes += 2 * BLOCK;
    tables += 2 * FIELD_TABLE_BYTES;
  }
  if (left & 1) addOne(codes, tables, gradient);
}

// Written out one by one: where a bundle's code and table lie is then part of the instructions, and nothing has to be
// loaded or added to find them.

@inline
function addOne(codes: usize, tables: usize, gradient: v128): void {
  const cell = tables + (<usize>load<u8>(codes) << ENTRY_SHIFT);
  v128.store(cell, f64x2.add(v128.load(cell), gradient));
}

@inline
function addTwo(codes: usize, tables: usize, gradient: v128): void {
  addOne(codes, tables, gradient);
  const cell = tables + (<usize>load<u8>(codes, BLOCK) << ENTRY_SHIFT);
  v128.store(cell, f64x2.add(v128.load(cell, FIELD_TABLE_BYTES), gradient), FIELD_TABLE_BYTES);
}

@inline
function addFour(codes: usize, tables: usize, gradient: v128): void {
  addTwo(codes, tables, gradient);
  const third = tables + (<usize>load<u8>(codes, 2 * BLOCK) << ENTRY_SHIFT);
  v128.store(third, f64x2.add(v128.load(third, 2 * FIELD_TABLE_BYTES), gradient), 2 * FIELD_TABLE_BYTES);
  const fourth = tables + (<usize>load<u8>(codes, 3 * BLOCK) << ENTRY_SHIFT);
  v128.store(fourth, f64x2.add(v128.load(fourth, 3 * FIELD_TABLE_BYTES), gradient), 3 * FIELD_TABLE_BYTES);
}

/** Adds one pattern's (residual, weight) to the table entry of each of its non-zero bytes. */
@inline
function addPattern<T>(pattern: u32, gradients: usize, entryStarts: usize, tables: usize): void {
  const gradient = v128.load(gradients + (<usize>pattern << 4));
  const starts = entryStarts + (<usize>pattern << 2);
  addEntries<T>(<usize>load<u32>(starts), <usize>load<u32>(starts, 4), tables, gradient);
}

/**
 * Adds to the entries from one to another: eight at a time, then four, two and one, which rows of equal length do
 * alike.
 */
@inline
export function addEntries<T>(entry: usize, end: usize, tables: usize, gradient: v128): usize {
  let left = <u32>(end - entry);
  for (; left >= 8 * sizeof<T>(); left -= 8 * sizeof<T>(), entry += 8 * sizeof<T>()) {
    addEntry<T>(entry, tables, gradient);
    addEntry<T>(entry + sizeof<T>(), tables, gradient);
    addEntry<T>(entry + 2 * sizeof<T>(), tables, gradient);
    addEntry<T>(entry + 3 * sizeof<T>(), tables, gradient);
    addEntry<T>(entry + 4 * sizeof<T>(), tables, gradient);
    addEntry<T>(entry + 5 * sizeof<T>(), tables, gradient);
    addEntry<T>(entry + 6 * sizeof<T>(), tables, gradient);
    addEntry<T>(entry + 7 * sizeof<T>(), tables, gradient);
  }
  if (left & (4 * sizeof<T>())) {
    addEntry<T>(entry, tables, gradient);
    addEntry<T>(entry + sizeof<T>(), tables, gradient);
    addEntry<T>(entry + 2 * sizeof<T>(), tables, gradient);
    addEntry<T>(entry + 3 * sizeof<T>(), tables, gradient);
    entry += 4 * sizeof<T>();
  }
  if (left & (2 * sizeof<T>())) {
    addEntry<T>(entry, tables, gradient);
    addEntry<T>(entry + sizeof<T>(), tables, gradient);
    entry += 2 * sizeof<T>();
  }
  if (left & sizeof<T>()) addEntry<T>(entry, tables, gradient);
  return end;
}

/** Adds the training patterns of a mask. */
export function addMask<T>(state: State, mask: usize): void {
  const tables = state.tables;
  if (sizeof<T>() == 1) {
    const count = state.bundleCount;
    for (let first: u32 = 0, end = state.trainingEnd; first < end; first += 64)
      for (let word = load<u64>(mask + (first >>> 3)); word; word &= word - 1)
        addCodesOf(state, first + <u32>ctz(word), count);
    return;
  }
  const gradients = state.gradients;
  const entryStarts = state.entryStarts;
  for (let first: u32 = 0, end = state.trainingEnd; first < end; first += 64) {
    for (let word = load<u64>(mask + (first >>> 3)); word; word &= word - 1)
      addPattern<T>(first + <u32>ctz(word), gradients, entryStarts, tables);
  }
}

@inline
function addCodesOf(state: State, pattern: u32, count: u32): void {
  const gradient = v128.load(state.gradients + (<usize>pattern << 4));
  addCodes(codesAt(state, pattern), count, state.tables, gradient);
}

/** Adds the training patterns from one on, which lie one after another: from the first, those of the root. */
export function addFrom<T>(state: State, first: u32): void {
  const tables = state.tables;
  let gradient = state.gradients + (<usize>first << 4);
  if (sizeof<T>() == 1) {
    const count = state.bundleCount;
    // padding has codes as others have, but not always gradients
    for (let index: u32 = 0; index < TRAINING_CLASSES; index++) {
      const start = classStart(state, index);
      if (start < first) continue;
      for (let pattern = start, end = start + sizeOfClass(state, index); pattern < end; pattern++)
        addCodesOf(state, pattern, count);
    }
    return;
  }
  const starts = state.entryStarts;
  let at = starts + (<usize>first << 2);
  let entry = <usize>load<u32>(at);
  for (const last = starts + (<usize>state.trainingEnd << 2); at < last; gradient += 16) {
    at += 4;
    entry = addEntries<T>(entry, <usize>load<u32>(at), tables, v128.load(gradient));
  }
}

/** Adds the patterns of a list of u32. */
export function addList<T>(state: State, list: usize, size: u32): void {
  const tables = state.tables;
  if (sizeof<T>() == 1) {
    const count = state.bundleCount;
    for (let at = list, end = list + (<usize>size << 2); at < end; at += 4)
      addCodesOf(state, load<u32>(at), count);
    return;
  }
  const gradients = state.gradients;
  const entryStarts = state.entryStarts;
  for (let at = list, end = list + (<usize>size << 2); at < end; at += 4)
    addPattern<T>(load<u32>(at), gradients, entryStarts, tables);
}

/**
 * Turns the byte tables into (S, W) of the 1 side of every predictor, and leaves them zero.
 *
 * A table's entries are indexed by the byte's value, most significant bit = first predictor. Bits are summed out three,
 * three and two at a time, in registers: about 510 additions and 300 loads a table.
 */
export function foldTables(state: State, histogram: usize): void {
  let table = state.tables;
  for (const end = histogram + state.histogramStride; histogram < end; table += TABLE_BYTES, histogram += 128)
    foldByte(table, histogram);
}

/** Folds the table of one byte. */
@inline
export function foldByte(table: usize, histogram: usize): void {
  foldThreeBits(table, 512, histogram);
  foldThreeBits(table, 64, histogram + 48);
  foldTwoBits(table, histogram + 96);
}

/**
 * Sums the upper three bits of an index of `8 * step / 16` entries out; entries above the first `step` bytes become
 * zero.
 */
@inline
export function foldThreeBits(table: usize, step: usize, sums: usize): void {
  const zero = i64x2.splat(0);
  let upper = zero;
  let middle = zero;
  let lower = zero;
  for (let at = table, end = table + step; at < end; at += 16) {
    const a1 = v128.load(at + step);
    const a2 = v128.load(at + 2 * step);
    const a3 = v128.load(at + 3 * step);
    const a4 = v128.load(at + 4 * step);
    const a5 = v128.load(at + 5 * step);
    const a6 = v128.load(at + 6 * step);
    const a7 = v128.load(at + 7 * step);
    v128.store(at + step, zero);
    v128.store(at + 2 * step, zero);
    v128.store(at + 3 * step, zero);
    v128.store(at + 4 * step, zero);
    v128.store(at + 5 * step, zero);
    v128.store(at + 6 * step, zero);
    v128.store(at + 7 * step, zero);
    const a23 = f64x2.add(a2, a3);
    const a67 = f64x2.add(a6, a7);
    const a4567 = f64x2.add(f64x2.add(a4, a5), a67);
    upper = f64x2.add(upper, a4567);
    middle = f64x2.add(middle, f64x2.add(a23, a67));
    lower = f64x2.add(lower, f64x2.add(f64x2.add(a1, a3), f64x2.add(a5, a7)));
    v128.store(at, f64x2.add(f64x2.add(f64x2.add(v128.load(at), a1), a23), a4567));
  }
  v128.store(sums, upper);
  v128.store(sums, middle, 16);
  v128.store(sums, lower, 32);
}

/** The last two bits: four entries, all left zero. */
@inline
function foldTwoBits(table: usize, sums: usize): void {
  const zero = i64x2.splat(0);
  const a3 = v128.load(table, 48);
  v128.store(sums, f64x2.add(v128.load(table, 32), a3));
  v128.store(sums, f64x2.add(v128.load(table, 16), a3), 16);
  v128.store(table, zero);
  v128.store(table, zero, 16);
  v128.store(table, zero, 32);
  v128.store(table, zero, 48);
}
