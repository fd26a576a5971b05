import { bundleFields } from './bundles';
import { Field, FIELD_CODES, fieldAt, fieldsBefore, isInSet, NO_SETS, RANGE_BYTES, setOf } from './fields';
import {
  boundsAt,
  countBefore,
  firstMarked,
  IN_TRAINING,
  markAllBounds,
  markCodes,
  shareMarks,
} from './occurring-codes';
import { State } from './state';

// What the current conditional has of a table's fields: codes renumbered to those that occur among its rows (codes.ts
// has them pattern by pattern); and candidates, which are the predictors that training rows tell apart.

/** A field in which the conditional's rows differ. */
@unmanaged
export class OwnField {
  /** Its number among all fields. */
  index: u32;
  /** Codes that occur. */
  codes: u32;
  /** Its bundle, and what its codes count there: a code of the bundle is the sum of code x unit (bundles.ts). */
  bundle: u32;
  unit: u32;
  /** SETS, RANGES or CUTS: what its candidates are. */
  kind: u32;
  /** Of CUTS: where the codes of each cut end; 0 where it has none. */
  cutEnd: u32;
  /** Its candidates end here, and those that the present tree may use; they begin where the field before ends. */
  candidateEnd: u32;
  activeEnd: u32;
}

export const OWN_FIELD_BYTES: usize = 32;

/** Candidates are sets of codes. */
export const SETS: u32 = 0;
/** Candidates are ranges of codes. */
export const RANGES: u32 = 1;
/** The same, and each is either one code or a cut: those from a code on, rising, which all have one end. */
export const CUTS: u32 = 2;
/** A field of more candidates than this, which have numbers of two bytes, is none of CUTS. */
const MOST_CUTS: u32 = 0xfff0;

/**
 * A split that may be tried: neighbouring predictors that no training row of the conditional tells apart, of which the
 * earliest stands for all, as ties have it.
 */
@unmanaged
export class Candidate {
  first: u32;
  last: u32;
  /** Own codes with which it is 1, `from` up to `to`; in a field of sets the places of these codes in `setLists`. */
  from: u32;
  to: u32;
}

export const CANDIDATE_BYTES: usize = 16;

/** In `places`: the field is constant, and this is its code. */
export const CONSTANT: u32 = 0x80000000;

@inline
export function ownFieldAt(state: State, index: u32): OwnField {
  return changetype<OwnField>(state.ownFields + <usize>index * OWN_FIELD_BYTES);
}

/** Where the candidates of an own field begin among those that the present tree may use. */
@inline
export function activeStart(state: State, index: u32): u32 {
  return index == 0 ? 0 : ownFieldAt(state, index - 1).activeEnd;
}

@inline
export function candidateAt(state: State, index: u32): Candidate {
  return changetype<Candidate>(state.candidates + <usize>index * CANDIDATE_BYTES);
}

/** u8 per code of a field: which own code it has become. */
@inline
export function codeMapAt(state: State, field: u32): usize {
  return state.codeMaps + <usize>field * FIELD_CODES;
}

/**
 * Makes the fields in which the rows differ the conditional's own, and lists its candidates.
 *
 * @param growing whether trees will be searched: else there are no candidates
 */
export function takeFields(state: State, growing: bool): void {
  const fields = fieldsBefore(state, state.predictors);
  markCodes(state, fields);
  markAllBounds(state, fields);
  const before = state.buckets; // free once the patterns are in order, and larger
  const inTraining = before + (<usize>(FIELD_CODES + 1) << 1);
  state.ownCount = 0;
  state.candidateCount = 0;
  let listEnd: u32 = 0;
  for (let index: u32 = 0; index < fields; index++) {
    const field = fieldAt(state, index);
    const marks = codeMapAt(state, index);
    const end = min(field.end, state.predictors);
    const bounds = boundsAt(state, index);
    shareMarks(bounds, marks, field.codes);
    countBefore(bounds, marks, field.codes, before, inTraining);
    const codes = <u32>load<u16>(before + (<usize>field.codes << 1));
    if (codes < 2) {
      store<u32>(state.places + (<usize>index << 2), CONSTANT | firstMarked(marks));
      continue;
    }
    store<u32>(state.places + (<usize>index << 2), state.ownCount);
    const own = ownFieldAt(state, state.ownCount++);
    own.index = index;
    own.codes = codes;
    if (growing) {
      if (field.sets == NO_SETS) listRanges(state, field, end, before, inTraining);
      else listEnd = listSets(state, field, end, bounds, marks, inTraining, listEnd);
    }
    own.candidateEnd = state.candidateCount;
    setKind(state, own, field);
    // what was marked is not asked for any more
    for (let code: u32 = 0; code < field.codes; code++)
      store<u8>(marks + code, <u8>load<u16>(before + (<usize>code << 1)));
  }
  bundleFields(state);
}

/** @param own whose candidates are the last ones so far */
function setKind(state: State, own: OwnField, field: Field): void {
  own.kind = field.sets == NO_SETS ? CUTS : SETS;
  own.cutEnd = 0;
  if (own.kind == SETS) return;
  const index = state.ownCount - 1;
  const first: u32 = index == 0 ? 0 : ownFieldAt(state, index - 1).candidateEnd;
  if (own.candidateEnd - first > MOST_CUTS) own.kind = RANGES;
  for (let at = first; at < own.candidateEnd; at++) {
    const candidate = candidateAt(state, at);
    if (candidate.to - candidate.from > 1) own.cutEnd = candidate.to;
  }
  let before: u32 = 0;
  for (let at = first; at < own.candidateEnd; at++) {
    const candidate = candidateAt(state, at);
    const isCut = candidate.to == own.cutEnd;
    if (isCut ? candidate.from < before : candidate.to - candidate.from > 1) own.kind = RANGES;
    if (isCut) before = candidate.from;
  }
}

@inline
function addCandidate(state: State, predictor: u32, from: u32, to: u32): void {
  const candidate = candidateAt(state, state.candidateCount++);
  candidate.first = predictor;
  candidate.last = predictor;
  candidate.from = from;
  candidate.to = to;
}

function listRanges(state: State, field: Field, end: u32, before: usize, inTraining: usize): void {
  const all = <u32>load<u16>(inTraining + (<usize>field.codes << 1));
  let range = state.codeRanges + <usize>field.start * RANGE_BYTES;
  // what the candidate before has in training, of this field
  let lastFrom: u32 = 0;
  let lastTo: u32 = 0;
  for (let predictor = field.start; predictor < end; predictor++, range += RANGE_BYTES) {
    const first = <usize>load<u16>(range) << 1;
    const last = <usize>load<u16>(range, 2) << 1;
    const from = <u32>load<u16>(inTraining + first);
    const to = <u32>load<u16>(inTraining + last);
    if (to <= from || to - from == all) continue;
    if (from == lastFrom && to == lastTo) {
      const same = candidateAt(state, state.candidateCount - 1);
      // an atom may be the last values that a cut point splits off, and others of no row lie between the two
      if (same.last + 1 == predictor) {
        same.last = predictor;
        continue;
      }
    }
    addCandidate(state, predictor, <u32>load<u16>(before + first), <u32>load<u16>(before + last));
    lastFrom = from;
    lastTo = to;
  }
}

/** @returns where the lists end now */
function listSets(
  state: State,
  field: Field,
  end: u32,
  bounds: usize,
  marks: usize,
  inTraining: usize,
  listEnd: u32,
): u32 {
  const all = <u32>load<u16>(inTraining + (<usize>field.codes << 1));
  const first = state.occurring; // the codes that stand for the own ones
  let count: u32 = 0;
  for (let code: u32 = 0; code < field.codes; code++)
    if (load<u8>(bounds + code) && load<u8>(marks + code)) store<u8>(first + count++, <u8>code);
  for (let predictor = field.start; predictor < end; predictor++) {
    const from = listEnd;
    const set = setOf(state, field, predictor);
    let trained: u32 = 0;
    for (let own: u32 = 0; own < count; own++) {
      const code = <u32>load<u8>(first + own);
      if (!isInSet(set, code)) continue;
      store<u8>(state.setLists + listEnd++, <u8>own);
      trained += load<u8>(marks + code) & IN_TRAINING ? 1 : 0;
    }
    if (trained == 0 || trained == all) listEnd = from;
    else addCandidate(state, predictor, from, listEnd);
  }
  return listEnd;
}
