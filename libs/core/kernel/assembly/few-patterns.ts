import { Bundle, bundleAt, FIELD_TABLE_BYTES, memberAt } from './bundles';
import { BLOCK, codesAt } from './codes';
import { FIELD_CODES } from './fields';
import { foldField } from './fold-fields';
import { Node } from './nodes';
import { activeStart, Candidate, CANDIDATE_BYTES, CUTS, OwnField, ownFieldAt } from './own-fields';
import { findListedSplit } from './split';
import { State } from './state';

// The split of a node of few patterns of a table. Few of a field's codes occur in it, so that most of the candidates
// are alike there: a split is listed for each code that occurs, the earliest of those that are alike, and these are
// searched. Neither tables nor candidates are gone through, and no histogram is kept: that of a node's sibling is
// summed by itself, since its patterns are few too.

/** Of a bundle: one bit a code. */
export const MARK_BYTES: usize = FIELD_CODES >>> 3;
/** Of an own field: u16 per code and one more, the first cut from that code on; and u16 per code, what is that code alone. */
export const NEXT_CUTS_BYTES: usize = (FIELD_CODES + 4) << 1;
export const SINGLES_BYTES: usize = FIELD_CODES << 1;

/** Instead of a candidate's place among those of its field. */
const NONE: u32 = 0xffff;

/** To list a pattern's code in a field, and to search what is listed, takes as long as so many candidates do. */
const LISTING: u32 = 2;

/** Where the next split's sums and place are listed. */
let nextSums: usize = 0;
let nextPlace: usize = 0;

/** Whether two nodes that have so many training patterns together are searched by what occurs in them. */
@inline
export function areFew(state: State, patterns: u32): bool {
  return state.fieldTotal != 0 && patterns * state.ownCount * LISTING < state.activeCount;
}

/** Finds a node's best split. @param sums room for (S, W) of each candidate */
export function findSplitOfFew(state: State, node: Node, sums: usize): void {
  if (!state.areCutsWritten) writeCuts(state);
  addMarked(state, node);
  nextSums = sums;
  nextPlace = state.listedPlaces;
  let table = state.tables;
  let marks = state.marks;
  for (let index: u32 = 0; index < state.bundleCount; index++, table += FIELD_TABLE_BYTES, marks += MARK_BYTES)
    listBundle(state, bundleAt(state, index), table, marks);
  // an even number is searched; what is added splits nothing
  if ((nextSums - sums) & 16) {
    v128.store(nextSums, i64x2.splat(0));
    nextSums += 16;
  }
  findListedSplit(state, sums, nextSums, state.listedPlaces, node.residual, node.weight);
}

/** By own field and code, which candidates the present tree may use. */
function writeCuts(state: State): void {
  for (let index: u32 = 0; index < state.ownCount; index++) {
    const own = ownFieldAt(state, index);
    if (own.kind == CUTS) writeCutsOf(state, own, index);
  }
  state.areCutsWritten = 1;
}

function writeCutsOf(state: State, own: OwnField, index: u32): void {
  const cuts = cutsAt(state, index);
  const singles = singlesAt(state, index);
  const start = activeStart(state, index);
  memory.fill(singles, 0xff, <usize>own.codes << 1);
  let code = <i32>own.codes;
  let next = NONE;
  // the last ones first: of equal ones the earliest stays
  for (let place = own.activeEnd; place > start; ) {
    place--;
    const candidate = changetype<Candidate>(state.active + <usize>place * CANDIDATE_BYTES);
    if (candidate.to == own.cutEnd) {
      for (const from = <i32>candidate.from; code > from; code--) store<u16>(cuts + (<usize>code << 1), <u16>next);
      next = place - start;
    } else store<u16>(singles + (<usize>candidate.from << 1), <u16>(place - start));
  }
  for (; code >= 0; code--) store<u16>(cuts + (<usize>code << 1), <u16>next);
}

@inline
function cutsAt(state: State, index: u32): usize {
  return state.nextCuts + <usize>index * NEXT_CUTS_BYTES;
}

@inline
function singlesAt(state: State, index: u32): usize {
  return state.singles + <usize>index * SINGLES_BYTES;
}

/** Adds the training patterns of a node to the tables of the bundles, and marks their codes. */
function addMarked(state: State, node: Node): void {
  if (node.mask) {
    for (let first: u32 = 0, end = state.trainingEnd; first < end; first += 64)
      for (let word = load<u64>(node.mask + (first >>> 3)); word; word &= word - 1)
        addPattern(state, first + <u32>ctz(word));
  } else {
    for (let at = node.list, end = at + (<usize>node.trainingSize << 2); at < end; at += 4)
      addPattern(state, load<u32>(at));
  }
}

@inline
function addPattern(state: State, pattern: u32): void {
  const gradient = v128.load(state.gradients + (<usize>pattern << 4));
  let codes = codesAt(state, pattern);
  let table = state.tables;
  for (let marks = state.marks, end = marks + <usize>state.bundleCount * MARK_BYTES; marks < end; marks += MARK_BYTES) {
    addMarkedCode(table, marks, <usize>load<u8>(codes), gradient);
    codes += BLOCK;
    table += FIELD_TABLE_BYTES;
  }
}

@inline
function addMarkedCode(table: usize, marks: usize, code: usize, gradient: v128): void {
  const cell = table + (code << 4);
  v128.store(cell, f64x2.add(v128.load(cell), gradient));
  const mark = marks + ((code >>> 6) << 3);
  store<u64>(mark, load<u64>(mark) | (<u64>1 << (code & 63)));
}

/** Lists the splits by the fields of a bundle, and leaves its table and its marks zero. */
function listBundle(state: State, bundle: Bundle, table: usize, marks: usize): void {
  if (bundle.end - bundle.start == 1) {
    listField(state, bundle.start, table, marks);
    return;
  }
  const own = state.marks + <usize>state.bundleCount * MARK_BYTES;
  for (let place = bundle.start; place < bundle.end; place++) {
    takeOutMarked(memberAt(state, place), table, marks, state.marginal, own);
    listField(state, place, state.marginal, own);
  }
  for (const end = marks + MARK_BYTES; marks < end; marks += 8, table += 64 << 4) {
    for (let word = load<u64>(marks); word; word &= word - 1)
      v128.store(table + (<usize>ctz(word) << 4), i64x2.splat(0));
    store<u64>(marks, 0);
  }
}

/** Sums a bundle's table to one of a member's own codes, and marks these. */
function takeOutMarked(own: OwnField, table: usize, marks: usize, to: usize, ownMarks: usize): void {
  for (let first: u32 = 0; first < FIELD_CODES; first += 64, marks += 8) {
    for (let word = load<u64>(marks); word; word &= word - 1) {
      const code = first + <u32>ctz(word);
      const gradient = v128.load(table + (<usize>code << 4));
      addMarkedCode(to, ownMarks, <usize>((code / own.unit) % own.codes), gradient);
    }
  }
}

/** @param place among the members of all bundles */
function listField(state: State, place: u32, table: usize, marks: usize): void {
  const index = load<u32>(state.members + (<usize>place << 2));
  const own = ownFieldAt(state, index);
  if (own.kind == CUTS) listCuts(own, activeStart(state, index), cutsAt(state, index), singlesAt(state, index), table, marks);
  else {
    foldField(state, own, table, nextSums, index);
    for (let active = activeStart(state, index); active < own.activeEnd; active++, nextPlace += 4, nextSums += 16)
      store<u32>(nextPlace, active);
    memory.fill(marks, 0, MARK_BYTES);
  }
}

/**
 * Goes through the codes that occur from the last one down: what is behind a cut are those before, so far as cuts go.
 * Between two codes that follow one another all cuts are alike; there is one where the next cut is another. What may be
 * a split is written in any case, and stays where it is one: no branch to mispredict.
 *
 * @param start of the field's candidates, from which its cuts and singles count
 */
function listCuts(own: OwnField, start: u32, cuts: usize, singles: usize, table: usize, marks: usize): void {
  const zero = i64x2.splat(0);
  const cutEnd = own.cutEnd;
  let listed = nextSums;
  let place = nextPlace;
  let behind = zero;
  let before = NONE;
  for (let first: i32 = FIELD_CODES - 64; first >= 0; first -= 64) {
    const at = marks + <usize>(first >>> 3);
    let word = load<u64>(at);
    if (!word) continue;
    store<u64>(at, 0);
    do {
      const bit = 63 - <u32>clz(word);
      word ^= <u64>1 << bit;
      const code = <u32>first + bit;
      const cell = table + (<usize>code << 4);
      const sums = v128.load(cell);
      v128.store(cell, zero);
      const single = <u32>load<u16>(singles + (<usize>code << 1));
      v128.store(listed, sums);
      store<u32>(place, start + single);
      listed += single == NONE ? 0 : 16;
      place += single == NONE ? 0 : 4;
      const next = <u32>load<u16>(cuts + (<usize>code << 1), 2);
      v128.store(listed, behind);
      store<u32>(place, start + next);
      listed += next == before ? 0 : 16;
      place += next == before ? 0 : 4;
      before = next;
      if (code < cutEnd) behind = f64x2.add(behind, sums);
    } while (word);
  }
  const next = <u32>load<u16>(cuts);
  v128.store(listed, behind);
  store<u32>(place, start + next);
  nextSums = next == before ? listed : listed + 16;
  nextPlace = next == before ? place : place + 4;
}
