import { bundleFields } from './bundles';
import { Field, FIELD_CODES, fieldAt, fieldsBefore, hasCode, NO_SETS, RANGE_BYTES } from './fields';
import { NO_ROW, State } from './state';

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
  /** Its predictors are ranges of codes, not sets. */
  isRanges: u32;
  /** Its candidates end here, and those that the present tree may use; they begin where the field before ends. */
  candidateEnd: u32;
  activeEnd: u32;
}

export const OWN_FIELD_BYTES: usize = 28;

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

const OCCURS: u8 = 1;
const IN_TRAINING: u8 = 2;

@inline
export function ownFieldAt(state: State, index: u32): OwnField {
  return changetype<OwnField>(state.ownFields + <usize>index * OWN_FIELD_BYTES);
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

/** Marks which codes occur in each of the conditional's fields, and which among training rows. O(patterns x fields). */
function markCodes(state: State, fields: u32): void {
  memory.fill(state.codeMaps, 0, <usize>fields * FIELD_CODES);
  for (let pattern: u32 = 0; pattern < state.patternEnd; pattern++) {
    const row = load<u32>(state.patternRow + (<usize>pattern << 2));
    if (row == NO_ROW) continue;
    const mark: u8 = pattern < state.trainingEnd ? OCCURS | IN_TRAINING : OCCURS;
    let marks = state.codeMaps;
    let at = state.rows + <usize>row * state.rowStride;
    for (const end = at + fields; at < end; at++, marks += FIELD_CODES) {
      const place = marks + <usize>load<u8>(at);
      store<u8>(place, load<u8>(place) | mark);
    }
  }
}

/**
 * Says of each code whether any of the conditional's predictors tells it from the code before it: those that none does
 * are one. They are neighbours in a range; in a field of several variables too, of which only the first ones are
 * predictors here.
 */
function markBounds(state: State, field: Field, end: u32): void {
  const bounds = state.bounds;
  if (field.sets == NO_SETS) {
    memory.fill(bounds, 0, FIELD_CODES + 1);
    let range = state.codeRanges + <usize>field.start * RANGE_BYTES;
    for (let predictor = field.start; predictor < end; predictor++, range += RANGE_BYTES) {
      store<u8>(bounds + <usize>load<u16>(range), 1);
      store<u8>(bounds + <usize>load<u16>(range, 2), 1);
    }
  } else {
    for (let code: u32 = 1; code < field.codes; code++)
      store<u8>(bounds + code, end == field.end || differs(state, field, end, code) ? 1 : 0);
  }
  store<u8>(bounds, 1);
}

function differs(state: State, field: Field, end: u32, code: u32): bool {
  for (let predictor = field.start; predictor < end; predictor++)
    if (hasCode(state, field, predictor, code) != hasCode(state, field, predictor, code - 1)) return true;
  return false;
}

/** Gives all codes that are one the marks of each. */
function shareMarks(bounds: usize, marks: usize, codes: u32): void {
  for (let code: u32 = 1; code < codes; code++)
    if (!load<u8>(bounds + code)) store<u8>(marks + code, load<u8>(marks + code) | load<u8>(marks + code - 1));
  for (let code = codes - 1; code > 0; code--)
    if (!load<u8>(bounds + code)) store<u8>(marks + code - 1, load<u8>(marks + code));
}

/**
 * How many of the marked codes come before each code, u16, and behind the last one how many there are. Codes that are
 * one count once and have the same number before them.
 */
function countBefore(bounds: usize, marks: usize, codes: u32, mark: u8, before: usize): void {
  let count: u16 = 0;
  let start: u16 = 0;
  for (let code: u32 = 0; code < codes; code++, before += 2) {
    if (load<u8>(bounds + code)) {
      start = count;
      count += load<u8>(marks + code) & mark ? 1 : 0;
    }
    store<u16>(before, start);
  }
  store<u16>(before, count);
}

/**
 * Makes the fields in which the rows differ the conditional's own, and lists its candidates.
 *
 * @param growing whether trees will be searched: else there are no candidates
 */
export function takeFields(state: State, growing: bool): void {
  const fields = fieldsBefore(state, state.predictors);
  markCodes(state, fields);
  const before = state.buckets; // free once the patterns are in order, and larger
  const inTraining = before + (<usize>(FIELD_CODES + 1) << 1);
  state.ownCount = 0;
  state.candidateCount = 0;
  let listEnd: u32 = 0;
  for (let index: u32 = 0; index < fields; index++) {
    const field = fieldAt(state, index);
    const marks = codeMapAt(state, index);
    const end = min(field.end, state.predictors);
    markBounds(state, field, end);
    shareMarks(state.bounds, marks, field.codes);
    countBefore(state.bounds, marks, field.codes, OCCURS, before);
    countBefore(state.bounds, marks, field.codes, IN_TRAINING, inTraining);
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
      else listEnd = listSets(state, field, end, marks, inTraining, listEnd);
    }
    own.isRanges = field.sets == NO_SETS ? 1 : 0;
    own.candidateEnd = state.candidateCount;
    // what was marked is not asked for any more
    for (let code: u32 = 0; code < field.codes; code++)
      store<u8>(marks + code, <u8>load<u16>(before + (<usize>code << 1)));
  }
  bundleFields(state);
}

function firstMarked(marks: usize): u32 {
  let code: u32 = 0;
  while (code + 1 < FIELD_CODES && !load<u8>(marks + code)) code++;
  return code;
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
function listSets(state: State, field: Field, end: u32, marks: usize, inTraining: usize, listEnd: u32): u32 {
  const all = <u32>load<u16>(inTraining + (<usize>field.codes << 1));
  const first = state.occurring; // the codes that stand for the own ones
  let count: u32 = 0;
  for (let code: u32 = 0; code < field.codes; code++)
    if (load<u8>(state.bounds + code) && load<u8>(marks + code)) store<u8>(first + count++, <u8>code);
  for (let predictor = field.start; predictor < end; predictor++) {
    const from = listEnd;
    let trained: u32 = 0;
    for (let own: u32 = 0; own < count; own++) {
      const code = <u32>load<u8>(first + own);
      if (!hasCode(state, field, predictor, code)) continue;
      store<u8>(state.setLists + listEnd++, <u8>own);
      trained += load<u8>(marks + code) & IN_TRAINING ? 1 : 0;
    }
    if (trained == 0 || trained == all) listEnd = from;
    else addCandidate(state, predictor, from, listEnd);
  }
  return listEnd;
}
