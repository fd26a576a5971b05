import { Bundle, bundleAt, FIELD_TABLE_BYTES, memberAt } from './bundles';
import { activeStart, Candidate, CANDIDATE_BYTES, OwnField, ownFieldAt, SETS } from './own-fields';
import { State } from './state';

/**
 * Turns the tables of the bundles, (S, W) of each code, into those of the 1 side of every candidate, and leaves them
 * zero. Sums are exact, so it does not matter in which way they are come by.
 */
export function foldFields(state: State, histogram: usize): void {
  let table = state.tables;
  for (let index: u32 = 0; index < state.bundleCount; index++, table += FIELD_TABLE_BYTES)
    foldBundle(state, bundleAt(state, index), table, histogram);
  // the other half of the last pair splits nothing
  if (state.activeCount & 1) v128.store(histogram + (<usize>state.activeCount << 4), i64x2.splat(0));
}

/** Takes member after member out of a bundle's table; what is left at last is the table of the last one. */
function foldBundle(state: State, bundle: Bundle, table: usize, histogram: usize): void {
  const last = bundle.end - 1;
  for (let place = bundle.start; place < last; place++) {
    const own = memberAt(state, place);
    takeOut(table, own.codes, own.unit, state.marginal);
    foldMember(state, place, state.marginal, histogram);
  }
  foldMember(state, last, table, histogram);
}

@inline
function foldMember(state: State, place: u32, table: usize, histogram: usize): void {
  const index = load<u32>(state.members + (<usize>place << 2));
  foldField(state, ownFieldAt(state, index), table, histogram + (<usize>activeStart(state, index) << 4), index);
}

/**
 * Sums a table of `codes` x `rest` entries both ways: of each code to `sums`, and of each of the rest to the table's
 * first entries; the others become zero. Two codes at a time, which are two sums that need not wait for each other.
 */
@inline
function takeOut(table: usize, codes: u32, rest: u32, sums: usize): void {
  const width = <usize>rest << 4;
  const zero = i64x2.splat(0);
  let first = table;
  for (const end = table + width * (codes & ~1); first < end; first += 2 * width, sums += 32) {
    let even = i64x2.splat(0);
    let odd = i64x2.splat(0);
    for (let at: usize = 0; at < width; at += 16) {
      const one = v128.load(first + at);
      const other = v128.load(first + width + at);
      even = f64x2.add(even, one);
      odd = f64x2.add(odd, other);
      const both = f64x2.add(one, other);
      v128.store(first + width + at, zero);
      if (first == table) v128.store(table + at, both);
      else {
        v128.store(first + at, zero);
        v128.store(table + at, f64x2.add(v128.load(table + at), both));
      }
    }
    v128.store(sums, even);
    v128.store(sums, odd, 16);
  }
  if (codes & 1) {
    let sum = i64x2.splat(0);
    for (let at: usize = 0; at < width; at += 16) {
      const one = v128.load(first + at);
      sum = f64x2.add(sum, one);
      // of an odd number of codes the last one is not the first
      v128.store(first + at, zero);
      v128.store(table + at, f64x2.add(v128.load(table + at), one));
    }
    v128.store(sums, sum);
  }
}

/** Folds the table of the own field of that number to `first` and behind, and leaves it zero. */
export function foldField(state: State, own: OwnField, table: usize, first: usize, index: u32): void {
  const start = activeStart(state, index);
  const candidate = state.active + <usize>start * CANDIDATE_BYTES;
  const last = first + (<usize>(own.activeEnd - start) << 4);
  if (first == last) clear(table, own.codes);
  else if (own.kind == SETS) {
    foldSets(state.setLists, table, candidate, first, last);
    clear(table, own.codes);
  } else foldRanges(table, state.running, own.codes, candidate, first, last);
}

/** Four entries at a time: behind the last one are those that keep tables apart. */
@inline
function clear(table: usize, codes: u32): void {
  const zero = i64x2.splat(0);
  for (const end = table + (<usize>codes << 4); table < end; table += 64) {
    v128.store(table, zero);
    v128.store(table, zero, 16);
    v128.store(table, zero, 32);
    v128.store(table, zero, 48);
  }
}

/** Ranges of codes are differences of running sums: one addition a code. The table becomes zero on the way. */
@inline
function foldRanges(
  table: usize,
  running: usize,
  codes: u32,
  candidate: usize,
  histogram: usize,
  last: usize,
): void {
  const zero = i64x2.splat(0);
  let sums = zero;
  let at = table;
  let to = running;
  // two at a time: an addition waits for one of every two before it
  for (const end = table + (<usize>(codes & ~1) << 4); at < end; at += 32, to += 32) {
    const first = v128.load(at);
    const both = f64x2.add(first, v128.load(at, 16));
    v128.store(at, zero);
    v128.store(at, zero, 16);
    v128.store(to, sums);
    v128.store(to, f64x2.add(sums, first), 16);
    sums = f64x2.add(sums, both);
  }
  if (codes & 1) {
    const first = v128.load(at);
    v128.store(at, zero);
    v128.store(to, sums);
    sums = f64x2.add(sums, first);
    to += 16;
  }
  v128.store(to, sums);
  for (; histogram < last; histogram += 16, candidate += CANDIDATE_BYTES) {
    const range = changetype<Candidate>(candidate);
    v128.store(
      histogram,
      f64x2.sub(v128.load(running + (<usize>range.to << 4)), v128.load(running + (<usize>range.from << 4))),
    );
  }
}

@inline
function foldSets(lists: usize, table: usize, candidate: usize, histogram: usize, last: usize): void {
  for (; histogram < last; histogram += 16, candidate += CANDIDATE_BYTES) {
    const set = changetype<Candidate>(candidate);
    let code = lists + set.from;
    const end = lists + set.to;
    let even = i64x2.splat(0);
    let odd = i64x2.splat(0);
    for (; code + 1 < end; code += 2) {
      even = f64x2.add(even, v128.load(table + (<usize>load<u8>(code) << 4)));
      odd = f64x2.add(odd, v128.load(table + (<usize>load<u8>(code, 1) << 4)));
    }
    if (code < end) even = f64x2.add(even, v128.load(table + (<usize>load<u8>(code) << 4)));
    v128.store(histogram, f64x2.add(even, odd));
  }
}
