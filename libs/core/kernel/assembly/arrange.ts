import { fieldAt } from './fields';
import { findGroups } from './find-groups';
import { State } from './state';

/** Below this many rows, insertion beats another counting pass. */
const INSERTION: u32 = 24;
/** Bytes of a pending range: from, to, byte. */
const RANGE: usize = 12;

/** Whether row `a` comes after row `b`, comparing eight bytes at a time from `byte` (a multiple of 8) on. */
@inline
function comesAfter(a: usize, b: usize, byte: usize, stride: usize): bool {
  for (let at = byte; at < stride; at += 8) {
    const first = load<u64>(a + at);
    const second = load<u64>(b + at);
    if (first != second) return bswap<u64>(first) > bswap<u64>(second);
  }
  return false;
}

function sortByInsertion(order: usize, from: u32, to: u32, rows: usize, stride: usize, byte: usize): void {
  const aligned = byte & ~7;
  for (let i = from + 1; i < to; i++) {
    const row = load<u32>(order + (<usize>i << 2));
    const address = rows + <usize>row * stride;
    let at = order + (<usize>i << 2);
    while (at > order + (<usize>from << 2)) {
      const before = load<u32>(at - 4);
      if (!comesAfter(rows + <usize>before * stride, address, aligned, stride)) break;
      store<u32>(at, before);
      at -= 4;
    }
    store<u32>(at, row);
  }
}

/**
 * The lexicographic order of packed rows (most significant bit first) by radix from the first byte on; equal rows keep
 * their order. O(rows x bytes that distinguish them).
 *
 * @param scratch 4 bytes a row, then 2 KiB of counts, then the ranges still to be sorted
 */
function sortRows(rows: usize, count: u32, stride: usize, order: usize, scratch: usize): void {
  for (let row: u32 = 0; row < count; row++) store<u32>(order + (<usize>row << 2), row);
  const counts = scratch + (<usize>count << 2);
  const starts = counts + 1024;
  const bottom = starts + 1028;
  let pending = bottom;
  store<u32>(pending, 0);
  store<u32>(pending, count, 4);
  store<u32>(pending, 0, 8);
  pending += RANGE;
  while (pending > bottom) {
    pending -= RANGE;
    const from = load<u32>(pending);
    const to = load<u32>(pending, 4);
    const byte = <usize>load<u32>(pending, 8);
    if (byte >= stride || to - from < 2) continue;
    if (to - from < INSERTION) {
      sortByInsertion(order, from, to, rows, stride, byte);
      continue;
    }
    memory.fill(counts, 0, 1024);
    const column = rows + byte;
    const begin = order + (<usize>from << 2);
    const end = order + (<usize>to << 2);
    for (let at = begin; at < end; at += 4) {
      const cell = counts + (<usize>load<u8>(column + <usize>load<u32>(at) * stride) << 2);
      store<u32>(cell, load<u32>(cell) + 1);
    }
    let sum: u32 = 0;
    let largest: u32 = 0;
    for (let value: usize = 0; value < 1024; value += 4) {
      const size = load<u32>(counts + value);
      store<u32>(counts + value, sum);
      store<u32>(starts + value, sum);
      sum += size;
      largest = max(largest, size);
    }
    store<u32>(starts, sum, 1024);
    if (largest < to - from) {
      for (let at = begin; at < end; at += 4) {
        const row = load<u32>(at);
        const cell = counts + (<usize>load<u8>(column + <usize>row * stride) << 2);
        const place = load<u32>(cell);
        store<u32>(cell, place + 1);
        store<u32>(scratch + (<usize>place << 2), row);
      }
      memory.copy(begin, scratch, end - begin);
    }
    for (let value: usize = 0; value < 1024; value += 4) {
      const first = load<u32>(starts + value);
      const last = load<u32>(starts + value, 4);
      if (last - first < 2) continue;
      store<u32>(pending, from + first);
      store<u32>(pending, from + last, 4);
      store<u32>(pending, <u32>byte + 1, 8);
      pending += RANGE;
    }
  }
}

/** The first predictor of the field in which two rows differ first, by how many leading bits they share. */
function leadingPredictors(state: State, bits: u32, dimensions: u32): u32 {
  const field = bits >>> 3;
  return field < state.fieldTotal ? fieldAt(state, field).start : dimensions;
}

/** How many leading bits two rows share; `most` where they are equal. */
@inline
function leadingBits(a: usize, b: usize, stride: usize, most: u32): u32 {
  for (let at: usize = 0; at < stride; at += 8) {
    const difference = load<u64>(a + at) ^ load<u64>(b + at);
    if (difference != 0) return min(most, <u32>(at << 3) + <u32>clz(bswap<u64>(difference)));
  }
  return most;
}

/**
 * Sorts the unsorted rows of all splits into the shared region, with what each shares with the row before it.
 *
 * @param unsorted training rows, then validation, then test rows
 * @param scratch 8 bytes a row, and 4 KiB and 12 bytes a row more for the sort
 */
export function arrange(
  state: State,
  unsorted: usize,
  scratch: usize,
  train: u32,
  valid: u32,
  dimensions: u32,
): void {
  const count = state.rowCount;
  const stride = <usize>state.rowStride;
  const order = scratch;
  sortRows(unsorted, count, stride, order, scratch + (<usize>count << 2));
  for (let row: u32 = 0; row < count; row++) {
    const source = load<u32>(order + (<usize>row << 2));
    const from = unsorted + <usize>source * stride;
    const to = state.rows + <usize>row * stride;
    for (let at: usize = 0; at < stride; at += 8) store<u64>(to + at, load<u64>(from + at));
    store<u8>(state.splits + row, source < train ? 0 : source < train + valid ? 1 : 2);
    let shared: u32 = 0;
    if (row > 0 && state.fieldTotal == 0) shared = leadingBits(to, to - stride, stride, dimensions);
    else if (row > 0)
      shared = leadingPredictors(state, leadingBits(to, to - stride, stride, <u32>stride << 3), dimensions);
    store<u32>(state.sharedBits + (<usize>row << 2), shared);
  }
  if (state.fieldTotal == 0) findGroups(state, dimensions, scratch);
}
