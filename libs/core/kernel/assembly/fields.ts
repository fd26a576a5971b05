import { State } from './state';

/**
 * One byte of a table's rows: the codes of one variable, or of several small ones side by side. A field's predictors
 * follow one another, and each is 1 with some of its codes. Those of one variable are ranges of codes (the bits
 * `x > c` of ascending cut points, one label, a missing value), those of several variables are sets.
 */
@unmanaged
export class Field {
  /** Its predictors: `start` up to `end`, the end exclusive. */
  start: u32;
  end: u32;
  /** How many codes there may be, at most 256. */
  codes: u32;
  /** Number of the first predictor's set, or NO_SETS where predictors are ranges of codes. */
  sets: u32;
}

export const FIELD_BYTES: usize = 16;
export const NO_SETS: u32 = 0xffffffff;
/** Most codes of a field. */
export const FIELD_CODES: u32 = 256;
/** Of a predictor: u16, the first code with which it is 1, and u16, where these codes end. */
export const RANGE_BYTES: usize = 4;
/** Of a predictor in a field of sets: one bit a code. */
export const SET_BYTES: usize = 32;

@inline
export function fieldAt(state: State, index: u32): Field {
  return changetype<Field>(state.fields + <usize>index * FIELD_BYTES);
}

/** How many fields the first `predictors` predictors begin in; the last may be used in part. */
export function fieldsBefore(state: State, predictors: u32): u32 {
  let below: u32 = 0;
  let above = state.fieldTotal;
  while (below < above) {
    const middle = (below + above) >>> 1;
    if (fieldAt(state, middle).start < predictors) below = middle + 1;
    else above = middle;
  }
  return below;
}

/** Whether a predictor is 1 with a code of its field. */
@inline
export function hasCode(state: State, field: Field, predictor: u32, code: u32): bool {
  if (field.sets == NO_SETS) {
    const range = state.codeRanges + <usize>predictor * RANGE_BYTES;
    return code >= <u32>load<u16>(range) && code < <u32>load<u16>(range, 2);
  }
  return isInSet(setOf(state, field, predictor), code);
}

/** The codes of a field of sets with which a predictor is 1. A loop over codes asks for them once. */
@inline
export function setOf(state: State, field: Field, predictor: u32): usize {
  return state.codeSets + <usize>(field.sets + predictor - field.start) * SET_BYTES;
}

@inline
export function isInSet(set: usize, code: u32): bool {
  return ((load<u8>(set + (code >>> 3)) >>> (code & 7)) & 1) != 0;
}
