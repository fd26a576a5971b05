import { Bundle, bundleAt, FIELD_TABLE_BYTES, memberAt } from './bundles';
import { Candidate, CANDIDATE_BYTES, OwnField, ownFieldAt } from './own-fields';
import { State } from './state';

/**
 * Turns the tables of the bundles, (S, W) of each code, into those of the 1 side of every candidate, and leaves them
 * zero. Sums are exact, so it does not matter in which way they are come by.
 */
export function foldFields(state: State, histogram: usize): void {
  let table = state.tables;
  for (let index: u32 = 0; index < state.bundleCount; index++, table += FIELD_TABLE_BYTES) {
    const bundle = bundleAt(state, index);
    foldBundle(state, bundle, table, histogram);
    // one more, since running sums have one
    memory.fill(table, 0, (<usize>bundle.codes + 1) << 4);
  }
  // the other half of the last pair splits nothing
  if (state.activeCount & 1) v128.store(histogram + (<usize>state.activeCount << 4), i64x2.splat(0));
}

/** Takes member after member out of a bundle's table; what is left at last is the table of the last one. */
function foldBundle(state: State, bundle: Bundle, table: usize, histogram: usize): void {
  const last = bundle.end - 1;
  for (let place = bundle.start; place < last; place++) {
    const own = memberAt(state, place);
    takeOut(table, own.codes, own.unit, state.marginal);
    foldField(state, own, load<u32>(state.members + (<usize>place << 2)), state.marginal, histogram);
  }
  foldField(state, memberAt(state, last), load<u32>(state.members + (<usize>last << 2)), table, histogram);
}

/**
 * Sums a table of `codes` x `rest` entries both ways: of each code to `sums`, and of each of the rest to the table's
 * first entries. Two codes at a time, which are two sums that need not wait for each other.
 */
@inline
function takeOut(table: usize, codes: u32, rest: u32, sums: usize): void {
  const width = <usize>rest << 4;
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
      v128.store(table + at, first == table ? both : f64x2.add(v128.load(table + at), both));
    }
    v128.store(sums, even);
    v128.store(sums, odd, 16);
  }
  if (codes & 1) {
    let sum = i64x2.splat(0);
    for (let at: usize = 0; at < width; at += 16) {
      const one = v128.load(first + at);
      sum = f64x2.add(sum, one);
      v128.store(table + at, f64x2.add(v128.load(table + at), one));
    }
    v128.store(sums, sum);
  }
}

/** Folds the table of one own field. */
@inline
function foldField(state: State, own: OwnField, index: u32, table: usize, histogram: usize): void {
  const start = index == 0 ? 0 : ownFieldAt(state, index - 1).activeEnd;
  if (start == own.activeEnd) return;
  const candidate = state.active + <usize>start * CANDIDATE_BYTES;
  const first = histogram + (<usize>start << 4);
  const last = histogram + (<usize>own.activeEnd << 4);
  if (own.isRanges) foldRanges(table, own.codes, candidate, first, last);
  else foldSets(state.setLists, table, candidate, first, last);
}

/** Ranges of codes are differences of running sums, which take the table's place: one addition a code. */
@inline
function foldRanges(table: usize, codes: u32, candidate: usize, histogram: usize, last: usize): void {
  let sums = i64x2.splat(0);
  let at = table;
  // two at a time: an addition waits for one of every two before it
  for (const end = table + (<usize>(codes & ~1) << 4); at < end; at += 32) {
    const first = v128.load(at);
    const both = f64x2.add(first, v128.load(at, 16));
    v128.store(at, sums);
    v128.store(at, f64x2.add(sums, first), 16);
    sums = f64x2.add(sums, both);
  }
  if (codes & 1) {
    const first = v128.load(at);
    v128.store(at, sums);
    sums = f64x2.add(sums, first);
    at += 16;
  }
  v128.store(at, sums);
  for (; histogram < last; histogram += 16, candidate += CANDIDATE_BYTES) {
    const range = changetype<Candidate>(candidate);
    v128.store(
      histogram,
      f64x2.sub(v128.load(table + (<usize>range.to << 4)), v128.load(table + (<usize>range.from << 4))),
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
