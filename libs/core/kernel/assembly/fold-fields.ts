import { Candidate, CANDIDATE_BYTES, ownFieldAt } from './own-fields';
import { State } from './state';

/**
 * Turns the tables of the own fields, (S, W) of each code, into those of the 1 side of every candidate, and leaves them
 * zero. Sums are exact, so it does not matter in which way they are come by.
 */
export function foldFields(state: State, histogram: usize): void {
  let candidate = state.active;
  const start = histogram;
  for (let index: u32 = 0; index < state.ownCount; index++) {
    const own = ownFieldAt(state, index);
    const table = state.tables + own.table;
    const last = start + (<usize>own.activeEnd << 4);
    if (histogram < last) {
      if (own.isRanges) foldRanges(table, own.codes, candidate, histogram, last);
      else foldSets(state.setLists, table, candidate, histogram, last);
      candidate += ((last - histogram) >>> 4) * CANDIDATE_BYTES;
      histogram = last;
    }
    memory.fill(table, 0, (<usize>own.codes + 1) << 4);
  }
  // the other half of the last pair splits nothing
  if (state.activeCount & 1) v128.store(histogram, i64x2.splat(0));
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
