import { FIELD_CODES } from './fields';
import { OwnField, ownFieldAt } from './own-fields';
import { State } from './state';

// Own fields of few codes share a byte: a pattern then has fewer codes to add by, and a node's tables a few more
// entries to fold. Their codes are the digits of one number.

/** Own fields whose codes are one byte of each pattern together; those of a bundle follow one another in `members`. */
@unmanaged
export class Bundle {
  /** The product of its members' codes, at most 256. */
  codes: u32;
  /** Its members in `members`: `start` up to `end`, the end exclusive. What counts most comes first. */
  start: u32;
  end: u32;
}

export const BUNDLE_BYTES: usize = 12;

/** Entries behind a table's own: one for the sum of all, three to keep tables out of each other's cache sets. */
const TABLE_GAP: u32 = 4;
/**
 * Bytes from one bundle's table to the next. All are as far apart as the largest asks for: where additions are written
 * out one by one, the place of each table is part of the instruction.
 */
export const FIELD_TABLE_BYTES: usize = <usize>(FIELD_CODES + TABLE_GAP) << 4;

/**
 * A node's table is gone through a few times, its patterns once or twice: bundles have no more codes than so many times
 * the patterns of a leaf.
 */
const CODES_PER_PATTERN: u32 = 2;

@inline
export function bundleAt(state: State, index: u32): Bundle {
  return changetype<Bundle>(state.bundles + <usize>index * BUNDLE_BYTES);
}

@inline
export function memberAt(state: State, place: u32): OwnField {
  return ownFieldAt(state, load<u32>(state.members + (<usize>place << 2)));
}

/** Own fields by their number of codes, the most first, u32 each; those of equal number keep their order. */
function sortByCodes(state: State, sorted: usize): void {
  const buckets = state.buckets; // free once the patterns are in order, and larger
  memory.fill(buckets, 0, (FIELD_CODES + 1) << 2);
  for (let own: u32 = 0; own < state.ownCount; own++) {
    const bucket = buckets + (<usize>ownFieldAt(state, own).codes << 2);
    store<u32>(bucket, load<u32>(bucket) + 1);
  }
  let start: u32 = 0;
  for (let bucket = buckets + (<usize>FIELD_CODES << 2); bucket >= buckets; bucket -= 4) {
    const size = load<u32>(bucket);
    store<u32>(bucket, start);
    start += size;
  }
  for (let own: u32 = 0; own < state.ownCount; own++) {
    const bucket = buckets + (<usize>ownFieldAt(state, own).codes << 2);
    const place = load<u32>(bucket);
    store<u32>(sorted + (<usize>place << 2), own);
    store<u32>(bucket, place + 1);
  }
}

/** Puts the own fields into bundles: to each of the largest that is left the smallest, as long as they fit. */
export function bundleFields(state: State): void {
  const sorted = state.sortedFields;
  sortByCodes(state, sorted);
  const most = min(FIELD_CODES, (state.trainingPatterns / state.leafLimit) * CODES_PER_PATTERN);
  state.bundleCount = 0;
  let large: u32 = 0;
  let small = state.ownCount;
  let place: u32 = 0;
  while (large < small) {
    const index = state.bundleCount++;
    const bundle = bundleAt(state, index);
    bundle.start = place;
    store<u32>(state.members + (<usize>place << 2), load<u32>(sorted + (<usize>large << 2)));
    place++;
    large++;
    bundle.codes = memberAt(state, bundle.start).codes;
    while (large < small) {
      const last = load<u32>(sorted + (<usize>(small - 1) << 2));
      const codes = bundle.codes * ownFieldAt(state, last).codes;
      if (codes > most) break;
      bundle.codes = codes;
      store<u32>(state.members + (<usize>place << 2), last);
      place++;
      small--;
    }
    bundle.end = place;
    let unit = bundle.codes;
    for (let member = bundle.start; member < place; member++) {
      const own = memberAt(state, member);
      unit /= own.codes;
      own.unit = unit;
      own.bundle = index;
    }
  }
}
