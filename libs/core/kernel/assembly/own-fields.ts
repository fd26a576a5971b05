import { bundleFields } from './bundles';
import { Field, FIELD_CODES, fieldAt, fieldsBefore, hasCode, isInSet, NO_SETS, RANGE_BYTES, setOf } from './fields';
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

const OCCURS: u8 = 1;
const IN_TRAINING: u8 = 2; // the higher bit, alone: codes are counted by it

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

/** Of a field: a byte a code and one more, then whether all codes are told apart. */
export const BOUNDS_BYTES: usize = FIELD_CODES + 8;
const ALL_APART: usize = FIELD_CODES + 1;

@inline
function boundsAt(state: State, field: u32): usize {
  return state.bounds + <usize>field * BOUNDS_BYTES;
}

/** Marks the bounds of all fields, once for all decisions of a variable: they look at the same predictors. */
function markAllBounds(state: State, fields: u32): void {
  // a constant target looks at none, and the next decision is of the same variable
  if (fields == 0 || state.boundedPredictors == state.predictors) return;
  for (let index: u32 = 0; index < fields; index++) {
    const field = fieldAt(state, index);
    const bounds = boundsAt(state, index);
    markBounds(state, bounds, field, min(field.end, state.predictors));
    let apart: u32 = 0;
    for (let code: u32 = 0; code < field.codes; code++) apart += load<u8>(bounds + code);
    store<u8>(bounds, apart == field.codes ? 1 : 0, ALL_APART);
  }
  state.boundedPredictors = state.predictors;
}

/**
 * Says of each code whether any of the conditional's predictors tells it from the code before it: those that none does
 * are one. They are neighbours in a range; in a field of several variables too, of which only the first ones are
 * predictors here.
 */
function markBounds(state: State, bounds: usize, field: Field, end: u32): void {
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
  if (load<u8>(bounds, ALL_APART)) return;
  for (let code: u32 = 1; code < codes; code++)
    if (!load<u8>(bounds + code)) store<u8>(marks + code, load<u8>(marks + code) | load<u8>(marks + code - 1));
  for (let code = codes - 1; code > 0; code--)
    if (!load<u8>(bounds + code)) store<u8>(marks + code - 1, load<u8>(marks + code));
}

/**
 * How many of the codes that occur come before each code, u16, and behind the last one how many there are; likewise of
 * those that occur in training. Codes that are one count once and have the same number before them.
 */
function countBefore(bounds: usize, marks: usize, codes: u32, before: usize, inTraining: usize): void {
  let count: u32 = 0;
  let start: u32 = 0;
  let trained: u32 = 0;
  let trainedStart: u32 = 0;
  for (let code: u32 = 0; code < codes; code++, before += 2, inTraining += 2) {
    if (load<u8>(bounds + code)) {
      const mark = <u32>load<u8>(marks + code);
      start = count;
      trainedStart = trained;
      count += mark & OCCURS;
      trained += mark >>> 1; // IN_TRAINING
    }
    store<u16>(before, <u16>start);
    store<u16>(inTraining, <u16>trainedStart);
  }
  store<u16>(before, <u16>count);
  store<u16>(inTraining, <u16>trained);
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
