import { listCodesOfBits } from './fold-groups';
import { bitsAt, Group, groupAt, mostFrequent } from './groups';
import { GROUP_CODES, State } from './state';

/** A group's bits fit into one word. */
const MOST_DIMENSIONS: u32 = 64;
/** How often a tree folds its tables, by and large, for each time that it sums all rows. */
const FOLDINGS: u64 = 4;
/** Rows by which a data set is recognised as one-hot data. */
const SAMPLE: u32 = 256;
/** A group grows by so many bits at a time where it can; at first, when there is one code, by twice as many. */
const STRIDE: u32 = 4;
/** Bytes of a table by code and further bits, u16 each. */
const BY_CODE_AND_BITS: usize = (<usize>GROUP_CODES << STRIDE) << 1;

/** A row's bits from a dimension on, the first in the highest bit; behind the last dimension lies anything. */
@inline
function windowOf(state: State, row: u32, dimension: u32): u64 {
  const at = state.rows + <usize>row * state.rowStride + (dimension >>> 3);
  const shift = <u64>(dimension & 7);
  return (bswap<u64>(load<u64>(at)) << shift) | (<u64>load<u8>(at, 8) >>> (8 - shift));
}

/** How many runs of neighbouring dimensions there are of which no sampled row has two. O(dimensions). */
function exclusiveRuns(state: State, dimensions: u32, taken: usize): u32 {
  const step = max<u32>(1, state.rowCount / SAMPLE);
  const sampled = min(SAMPLE, state.rowCount);
  let runs: u32 = 1;
  memory.fill(taken, 0, SAMPLE);
  for (let dimension: u32 = 0; dimension < dimensions; dimension++) {
    const column = state.rows + (dimension >>> 3);
    const bit = <u8>((<u32>0x80) >>> (dimension & 7));
    for (let pass = 0; pass < 2; pass++) {
      let conflict = false;
      for (let sample: u32 = 0; sample < sampled; sample++) {
        const one = (load<u8>(column + <usize>(sample * step) * state.rowStride) & bit) != 0;
        conflict = conflict || (one && load<u8>(taken + sample) != 0);
        if (one) store<u8>(taken + sample, 1);
      }
      if (!conflict) break;
      // a new run, of which this dimension is the first
      runs++;
      memory.fill(taken, 0, SAMPLE);
    }
  }
  return runs;
}

/** While a group is sought: each row's window and code, and tables by code and further bits. */
@unmanaged
class Search {
  windows: usize;
  codes: usize;
  /** u16: the codes that codes and the last `takenBits` accepted bits become; rows still have those before. */
  taken: usize;
  takenBits: u32;
  /** u16: whether a code and further bits occur. */
  seen: usize;
}

/** Brings a row's code up to the accepted bits; `bits` ends with them. */
@inline
function takeBits(search: Search, row: usize, bits: u64): u32 {
  const at = search.codes + row;
  const last = <u32>bits & ((1 << search.takenBits) - 1);
  const code = <u32>load<u16>(search.taken + (<usize>((<u32>load<u8>(at) << search.takenBits) | last) << 1));
  store<u8>(at, <u8>code);
  return code;
}

/** Brings all codes up to the `width` accepted bits, and marks with which of the next `step` bits each occurs. */
function seeBits(state: State, search: Search, width: u32, step: u32): void {
  const shift = <u64>(64 - width - step);
  const mask = (<u64>1 << step) - 1;
  memory.fill(search.seen, 0, BY_CODE_AND_BITS);
  for (let row: usize = 0, end = <usize>state.rowCount; row < end; row++) {
    const bits = load<u64>(search.windows + (row << 3)) >>> shift;
    const code = takeBits(search, row, bits >>> step);
    store<u16>(search.seen + (((<usize>code << step) | <usize>(bits & mask)) << 1), 1);
  }
}

/**
 * Takes the bits that were seen into the group: names what occurs, in the order of the bits.
 *
 * @param bits the bits of the group's codes
 * @returns whether there are not too many codes
 */
function acceptBits(search: Search, group: Group, bits: usize, width: u32, step: u32): bool {
  const end = <i32>(group.codes << step);
  let codes: u32 = 0;
  for (let index = 0; index < end; index++) codes += load<u16>(search.seen + (<usize>index << 1));
  const accepted = codes <= GROUP_CODES;
  if (accepted) {
    // from the last code down, since a code's bits move up
    let fresh = codes;
    for (let index = end - 1; index >= 0; index--) {
      const at = search.seen + (<usize>index << 1);
      if (!load<u16>(at)) continue;
      fresh--;
      store<u16>(at, <u16>fresh);
      const low = <u64>(index & ((1 << step) - 1)) << (64 - width - step);
      store<u64>(bits + (<usize>fresh << 3), load<u64>(bits + (<usize>(index >> step) << 3)) | low);
    }
    const table = search.taken;
    search.taken = search.seen;
    search.takenBits = step;
    search.seen = table;
    group.codes = codes;
  } else {
    keepCodes(search);
  }
  return accepted;
}

/** Nothing more is to be taken: each code becomes itself. */
function keepCodes(search: Search): void {
  search.takenBits = 0;
  for (let code: u32 = 0; code < GROUP_CODES; code++) store<u16>(search.taken + (<usize>code << 1), <u16>code);
}

/**
 * Makes the group that begins at a dimension as long as its codes allow, up to `most` dimensions, and writes the rows'
 * codes.
 *
 * @returns how many rows have another code than the most frequent
 */
function formGroup(state: State, index: u32, start: u32, most: u32, search: Search): u32 {
  const group = groupAt(state, index);
  const bits = bitsAt(state, index);
  group.start = start;
  group.codes = 1;
  store<u64>(bits, 0);
  memory.fill(search.codes, 0, state.rowCount);
  for (let row: u32 = 0; row < state.rowCount; row++)
    store<u64>(search.windows + (<usize>row << 3), windowOf(state, row, start));
  keepCodes(search);
  let width: u32 = 0;
  for (let step = 2 * STRIDE; step > 0; ) {
    if (width + step <= most) {
      seeBits(state, search, width, step);
      if (acceptBits(search, group, bits, width, step)) {
        width += step;
        step = min(step, STRIDE);
        continue;
      }
    }
    step >>= 1;
  }
  group.end = start + width;
  const counts = search.seen;
  memory.fill(counts, 0, GROUP_CODES << 2);
  for (let row: u32 = 0, to = state.groupCodes + index; row < state.rowCount; row++, to += state.groupStride) {
    const code = takeBits(search, row, load<u64>(search.windows + (<usize>row << 3)) >>> (64 - width));
    store<u8>(to, <u8>code);
    const count = counts + (<usize>code << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
  group.common = mostFrequent(counts);
  return state.rowCount - load<u32>(counts + (<usize>group.common << 2));
}

/**
 * Groups the dimensions of arranged rows of bits where these look like one-hot data, and writes how many groups there
 * are: none where bytes do as well.
 *
 * @param scratch 17 KiB and 9 bytes a row
 */
export function findGroups(state: State, dimensions: u32, scratch: usize): void {
  store<u32>(state.groups, 0);
  if (exclusiveRuns(state, dimensions, scratch) > dimensions >>> 1) return;
  const search = changetype<Search>(scratch);
  search.taken = scratch + 64;
  search.seen = search.taken + BY_CODE_AND_BITS;
  search.windows = search.seen + BY_CODE_AND_BITS;
  search.codes = search.windows + (<usize>state.rowCount << 3);
  let groups: u32 = 0;
  let entries: u64 = 0;
  for (let start: u32 = 0; start < dimensions; start = groupAt(state, groups++).end)
    entries += formGroup(state, groups, start, min(dimensions - start, MOST_DIMENSIONS), search);
  const folding = FOLDINGS * <u64>listCodesOfBits(state, groups);
  if (entries + folding < byteEntries(state, dimensions)) store<u32>(state.groups, groups);
}

/** Non-zero bytes of all rows, the entries without groups, and what folding byte tables takes. */
function byteEntries(state: State, dimensions: u32): u64 {
  const bytes = (dimensions + 7) >>> 3;
  let entries: u64 = 0;
  for (let row: u32 = 0; row < state.rowCount; row++) {
    const start = state.rows + <usize>row * state.rowStride;
    for (let byte: u32 = 0; byte < bytes; byte++) entries += load<u8>(start + byte) != 0 ? 1 : 0;
  }
  return entries + ((<u64>bytes) << 8);
}
