import { Field, FIELD_CODES, fieldAt, hasCode, NO_SETS, RANGE_BYTES } from './fields';
import { NO_ROW, State } from './state';

// Which codes of a table's fields occur among the rows of the current conditional, a mark each in `codeMaps`, and
// which of them its predictors tell apart: own fields have a code for each of those (own-fields.ts).

const OCCURS: u8 = 1;
export const IN_TRAINING: u8 = 2; // the higher bit, alone: codes are counted by it

/** Marks which codes occur in each of the conditional's fields, and which among training rows. O(patterns x fields). */
export function markCodes(state: State, fields: u32): void {
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
export function boundsAt(state: State, field: u32): usize {
  return state.bounds + <usize>field * BOUNDS_BYTES;
}

/** Marks the bounds of all fields, once for all decisions of a variable: they look at the same predictors. */
export function markAllBounds(state: State, fields: u32): void {
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
export function shareMarks(bounds: usize, marks: usize, codes: u32): void {
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
export function countBefore(bounds: usize, marks: usize, codes: u32, before: usize, inTraining: usize): void {
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

/** The first code that occurs. */
export function firstMarked(marks: usize): u32 {
  let code: u32 = 0;
  while (code + 1 < FIELD_CODES && !load<u8>(marks + code)) code++;
  return code;
}
