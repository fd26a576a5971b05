import { GROUP_CODES, State } from './state';

/**
 * Groups of neighbouring predictors for which few combinations of bits occur, as in one-hot data. A byte of eight
 * predictors has 256 values whatever the data; where only some occur, a group of at most 256 *codes* covers many more
 * predictors, and a pattern has fewer table entries. Groups are found once a data set and used where that pays.
 */
@unmanaged
export class Group {
  /** Its predictors: `start` up to `end`, the end exclusive. */
  start: u32;
  end: u32;
  /** How many codes there are; they ascend with the bits that they stand for. */
  codes: u32;
  /** The most frequent code. Its patterns have no entry: its sum is what the others leave of the node's. */
  common: u32;
}

export const GROUP_BYTES: usize = 32;

/** Bytes before the first group, of how many there are. */
export const GROUPS_HEAD: usize = 16;

@inline
export function groupAt(state: State, group: u32): Group {
  return changetype<Group>(state.groups + GROUPS_HEAD + <usize>group * GROUP_BYTES);
}

/** The bits of each code, u64, the group's first predictor in the highest bit. */
@inline
export function bitsAt(state: State, group: u32): usize {
  return state.groupBits + (<usize>group * GROUP_CODES << 3);
}

/** @param counts u32 per code */
export function mostFrequent(counts: usize): u32 {
  let common: u32 = 0;
  for (let code: u32 = 1; code < GROUP_CODES; code++)
    if (load<u32>(counts + (<usize>code << 2)) > load<u32>(counts + (<usize>common << 2))) common = code;
  return common;
}

/**
 * Decides which groups the current conditional uses. It may look at a part of the last one only: codes that agree there
 * become one, the first of them.
 */
export function useGroups(state: State): void {
  const found = load<u32>(state.groups);
  // what lies behind the last group is summed by nothing but bytes
  const end = found != 0 && state.predictors <= groupAt(state, found - 1).end ? found : 0;
  let count: u32 = 0;
  while (count < end && groupAt(state, count).start < state.predictors) count++;
  state.groupCount = count;
  if (count == 0) return;
  const index = count - 1;
  const last = groupAt(state, index);
  const bits = bitsAt(state, index);
  const within = bitsWithin(state, last);
  let first: u32 = 0;
  for (let code: u32 = 0; code < last.codes; code++) {
    const differ = load<u64>(bits + (<usize>code << 3)) ^ load<u64>(bits + (<usize>first << 3));
    if (differ & within) first = code;
    store<u8>(state.lastCodes + code, <u8>first);
  }
  const counts = state.buckets;
  memory.fill(counts, 0, GROUP_CODES << 2);
  for (let row: u32 = 0; row < state.rowCount; row++) {
    const count = counts + (<usize>codeOf(state, row, index) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
  state.lastCommon = mostFrequent(counts);
}

/** The bits of a group's dimensions that are predictors of the current conditional. */
@inline
function bitsWithin(state: State, group: Group): u64 {
  return ~(<u64>0) << (64 - (min(group.end, state.predictors) - group.start));
}

/** A row's code in one of the conditional's groups. */
@inline
export function codeOf(state: State, row: u32, index: u32): u32 {
  const code = <u32>load<u8>(state.groupCodes + <usize>row * state.groupStride + index);
  return index + 1 == state.groupCount ? <u32>load<u8>(state.lastCodes + code) : code;
}

/** The code without entries. */
@inline
export function commonOf(state: State, index: u32): u32 {
  return index + 1 == state.groupCount ? state.lastCommon : groupAt(state, index).common;
}

@inline
function addToBits(histogram: usize, bits: u64, sums: v128): void {
  while (bits) {
    const bit = clz(bits);
    const cell = histogram + (<usize>bit << 4);
    v128.store(cell, f64x2.add(v128.load(cell), sums));
    bits ^= (<u64>1 << 63) >>> bit;
  }
}

/** Adds one pattern straight to the histogram: for nodes too small for tables. */
@inline
function addToHistogram(state: State, pattern: u32, histogram: usize): void {
  const gradient = v128.load(state.gradients + (<usize>pattern << 4));
  const row = load<u32>(state.patternRow + (<usize>pattern << 2));
  for (let index: u32 = 0; index < state.groupCount; index++) {
    const group = groupAt(state, index);
    const bits = load<u64>(bitsAt(state, index) + (<usize>codeOf(state, row, index) << 3));
    const within = bitsWithin(state, group);
    addToBits(histogram + (<usize>group.start << 4), bits & within, gradient);
  }
}

/** Sums the training patterns of a mask without tables, as `addListByBits` does those of a list. */
export function addMaskByBits(state: State, mask: usize, histogram: usize): void {
  memory.fill(histogram, 0, state.histogramStride);
  for (let first: u32 = 0, end = state.trainingEnd; first < end; first += 64) {
    let word = load<u64>(mask + (first >>> 3));
    while (word) {
      addToHistogram(state, first + <u32>ctz(word), histogram);
      word &= word - 1;
    }
  }
}

export function addListByBits(state: State, list: usize, size: u32, histogram: usize): void {
  memory.fill(histogram, 0, state.histogramStride);
  for (let at = list, end = list + (<usize>size << 2); at < end; at += 4)
    addToHistogram(state, load<u32>(at), histogram);
}
