import { bitsAt, commonOf, groupAt } from './groups';
import { State, TABLE_BYTES } from './state';

// A group's table has (S, W) of the patterns of each code. The sums of a predictor's 1 side are those of the codes that
// have its bit.

/** Writes the codes by which each predictor is folded. @returns how many additions folding takes */
export function listCodesOfBits(state: State, groups: u32): u32 {
  let at: u32 = 0;
  let start = state.codeStarts;
  for (let index: u32 = 0; index < groups; index++) {
    const group = groupAt(state, index);
    const bits = bitsAt(state, index);
    for (let predictor: u32 = 0, end = group.end - group.start; predictor < end; predictor++, start += 4) {
      store<u32>(start, at);
      for (let code: u32 = 0; code < group.codes; code++)
        if ((load<u64>(bits + (<usize>code << 3)) >>> (63 - <u64>predictor)) & 1)
          store<u8>(state.codeLists + at++, <u8>code);
    }
  }
  store<u32>(start, at);
  return at;
}

/**
 * Turns the tables of groups into (S, W) of the 1 side of every predictor, and leaves them zero.
 *
 * @param total (S, W) of the node
 */
export function foldGroups(state: State, histogram: usize, total: v128): void {
  let table = state.tables;
  let starts = state.codeStarts;
  const end = histogram + (<usize>state.predictors << 4);
  for (let index: u32 = 0; index < state.groupCount; index++, table += TABLE_BYTES) {
    const group = groupAt(state, index);
    const tableEnd = table + (<usize>group.codes << 4);
    v128.store(table + (<usize>commonOf(state, index) << 4), f64x2.sub(total, sumOf(table, tableEnd)));
    const last = min(end, histogram + (<usize>(group.end - group.start) << 4));
    foldGroup(state, table, starts, histogram, last);
    starts += (<usize>(group.end - group.start)) << 2;
    histogram = last;
    memory.fill(table, 0, tableEnd - table);
  }
}

/** Of all entries, by two sums, so that an addition need not wait for the one before. */
@inline
function sumOf(table: usize, tableEnd: usize): v128 {
  let even = i64x2.splat(0);
  let odd = i64x2.splat(0);
  for (; table + 16 < tableEnd; table += 32) {
    even = f64x2.add(even, v128.load(table));
    odd = f64x2.add(odd, v128.load(table, 16));
  }
  if (table < tableEnd) even = f64x2.add(even, v128.load(table));
  return f64x2.add(even, odd);
}

@inline
function foldGroup(state: State, table: usize, starts: usize, histogram: usize, last: usize): void {
  const zero = i64x2.splat(0);
  let from = state.codeLists + <usize>load<u32>(starts);
  for (; histogram < last; histogram += 16) {
    starts += 4;
    const to = state.codeLists + <usize>load<u32>(starts);
    let even = zero;
    let odd = zero;
    for (; from + 1 < to; from += 2) {
      even = f64x2.add(even, v128.load(table + (<usize>load<u8>(from) << 4)));
      odd = f64x2.add(odd, v128.load(table + (<usize>load<u8>(from, 1) << 4)));
    }
    if (from < to) even = f64x2.add(even, v128.load(table + (<usize>load<u8>(from++) << 4)));
    v128.store(histogram, f64x2.add(even, odd));
  }
}
