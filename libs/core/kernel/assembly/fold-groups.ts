import { bitsAt, commonOf, Group, groupAt } from './groups';
import { GROUP_CODES, State, TABLE_BYTES } from './state';

// A group's table has (S, W) of the patterns of each code. The sums of a predictor's 1 side are those of the codes that
// have its bit; sums are exact, so it does not matter in which way they are come by:

/** They are added up, as in one-hot data. */
export const PLAIN: u32 = 0;
/**
 * Neighbouring predictors have nearly the same codes: a predictor's sums are those of the one before it, or of the
 * whole node for the first, and of the codes that make the difference.
 */
const CHAINED: u32 = 1;
/**
 * The bits `x > c` of ascending c: n of them have n + 1 codes, and the sums of each are those of the codes behind it.
 * That is one addition a predictor instead of half as many as there are codes.
 */
const STAIRS: u32 = 2;

/**
 * Before the codes of a predictor in a chained group: whether it goes on from the sums before, and how many are added.
 */
const CHAIN_HEAD: u32 = 2;
/** Additions that take as long as reading the head. */
const HEAD_COST: u32 = 2;
/** Codes that are added are counted in a byte; those that follow are taken off. */
const MOST_ADDED: u32 = 255;
/** Bytes of a predictor's list, at most. */
export const MOST_LISTED: u64 = GROUP_CODES + CHAIN_HEAD;

/** Instead of a predictor: one that every code has, as if before the first; and one that no code has. */
const EVERY: i32 = -1;
const NONE: i32 = -2;

@inline
function hasBit(bits: usize, code: u32, predictor: i32): bool {
  if (predictor < 0) return predictor == EVERY;
  return ((load<u64>(bits + (<usize>code << 3)) >>> (63 - <u64>predictor)) & 1) != 0;
}

/** How many codes have the one predictor's bit and not the other's. */
function countCodes(group: Group, bits: usize, predictor: i32, other: i32): u32 {
  let count: u32 = 0;
  for (let code: u32 = 0; code < group.codes; code++)
    if (hasBit(bits, code, predictor) && !hasBit(bits, code, other)) count++;
  return count;
}

/** Writes those codes. @returns where they end */
function writeCodes(state: State, at: u32, group: Group, bits: usize, predictor: i32, other: i32): u32 {
  for (let code: u32 = 0; code < group.codes; code++)
    if (hasBit(bits, code, predictor) && !hasBit(bits, code, other)) store<u8>(state.codeLists + at++, <u8>code);
  return at;
}

function additionsFrom(group: Group, bits: usize, base: i32, predictor: i32): u32 {
  return countCodes(group, bits, predictor, base) + countCodes(group, bits, base, predictor);
}

/** What a predictor of a chained group goes on from: the predictor before it, or nothing where that takes less. */
function baseOf(group: Group, bits: usize, predictor: i32): i32 {
  const before = additionsFrom(group, bits, predictor - 1, predictor);
  return before < additionsFrom(group, bits, NONE, predictor) ? predictor - 1 : NONE;
}

function isStairs(group: Group, bits: usize): bool {
  const width = <i32>(group.end - group.start);
  if (group.codes != <u32>width + 1) return false;
  for (let predictor = 0; predictor < width; predictor++)
    for (let code = 0; code <= width; code++) if (hasBit(bits, code, predictor) != code > predictor) return false;
  return true;
}

/** Chooses how a group is folded. @returns how many additions that takes */
function chooseFolding(group: Group, bits: usize): u32 {
  if (group.codes > 2 && isStairs(group, bits)) {
    group.folding = STAIRS;
    return group.codes;
  }
  let plain: u32 = 0;
  let chained: u32 = 0;
  let most: u32 = 0;
  for (let predictor: i32 = 0, end = <i32>(group.end - group.start); predictor < end; predictor++) {
    const base = baseOf(group, bits, predictor);
    plain += additionsFrom(group, bits, NONE, predictor);
    chained += HEAD_COST + additionsFrom(group, bits, base, predictor);
    most = max(most, countCodes(group, bits, predictor, base));
  }
  group.folding = chained < plain && most <= MOST_ADDED ? CHAINED : PLAIN;
  return min(plain, chained);
}

/**
 * Writes the codes by which each predictor is folded.
 *
 * @param ordered whether there may be bits `x > c`; looking for them takes longer than listing one-hot data
 * @returns how many additions folding takes
 */
export function listCodes(state: State, groups: u32, ordered: bool): u32 {
  let at: u32 = 0;
  let additions: u32 = 0;
  let start = state.codeStarts;
  for (let index: u32 = 0; index < groups; index++) {
    const group = groupAt(state, index);
    const bits = bitsAt(state, index);
    group.folding = PLAIN;
    if (ordered) additions += chooseFolding(group, bits);
    for (let predictor: i32 = 0, end = <i32>(group.end - group.start); predictor < end; predictor++, start += 4) {
      store<u32>(start, at);
      let base = NONE;
      if (group.folding == CHAINED) {
        base = baseOf(group, bits, predictor);
        store<u8>(state.codeLists + at, base == NONE ? 0 : 1);
        store<u8>(state.codeLists + at, <u8>countCodes(group, bits, predictor, base), 1);
        at += CHAIN_HEAD;
      }
      at = writeCodes(state, at, group, bits, predictor, base);
      if (base != NONE) at = writeCodes(state, at, group, bits, base, predictor);
    }
  }
  store<u32>(start, at);
  return ordered ? additions : at;
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
    if (group.folding == STAIRS) foldStairs(table, histogram, last, total);
    else if (group.folding == CHAINED) foldChained(state, table, starts, histogram, last, total);
    else foldPlain(state, table, starts, histogram, last);
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
function foldPlain(state: State, table: usize, starts: usize, histogram: usize, last: usize): void {
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

@inline
function foldChained(state: State, table: usize, starts: usize, histogram: usize, last: usize, total: v128): void {
  const zero = i64x2.splat(0);
  let sums = total;
  let from = state.codeLists + <usize>load<u32>(starts);
  for (; histogram < last; histogram += 16) {
    starts += 4;
    const to = state.codeLists + <usize>load<u32>(starts);
    if (!load<u8>(from)) sums = zero;
    const added = from + CHAIN_HEAD + <usize>load<u8>(from, 1);
    from += CHAIN_HEAD;
    for (; from < added; from++) sums = f64x2.add(sums, v128.load(table + (<usize>load<u8>(from) << 4)));
    for (; from < to; from++) sums = f64x2.sub(sums, v128.load(table + (<usize>load<u8>(from) << 4)));
    v128.store(histogram, sums);
  }
}

@inline
function foldStairs(table: usize, histogram: usize, last: usize, total: v128): void {
  let sums = total;
  // two at a time: an addition waits for one of every two before it
  for (; histogram + 16 < last; histogram += 32, table += 32) {
    const first = v128.load(table);
    const both = f64x2.add(first, v128.load(table, 16));
    v128.store(histogram, f64x2.sub(sums, first));
    sums = f64x2.sub(sums, both);
    v128.store(histogram, sums, 16);
  }
  if (histogram < last) v128.store(histogram, f64x2.sub(sums, v128.load(table)));
}
