import { fieldAt, fieldsBefore, hasCode } from './fields';
import { State } from './state';

// Which rows reach the present conditional, and the label of each. A variable of a table has hundreds of decisions, and
// most of them are reached by few of its rows: nothing that is done for a decision goes through the others.

const ALL_ROWS: u32 = 0xffffffff;

/** How many rows reach the conditional. */
@inline
export function reachingRows(state: State): u32 {
  return state.reachedCount == ALL_ROWS ? state.rowCount : state.reachedCount;
}

/** The row at that place among those that reach the conditional. */
@inline
export function reachingRow(state: State, place: u32): u32 {
  return state.reachedCount == ALL_ROWS ? place : load<u32>(state.reachedRows + (<usize>place << 2));
}

/** So many rows, which the host wrote to `reachedRows`, reach the conditional. Their labels are still to be written. */
export function reach(state: State, count: u32): void {
  state.reachedCount = count;
}

/** Makes the column at `position` the target: the labels of all rows become its bits. */
export function labelByColumn(state: State, position: u32): void {
  state.reachedCount = ALL_ROWS;
  if (state.fieldTotal) {
    labelByPredictor(state, position);
    return;
  }
  const shift: u8 = <u8>(7 - (position & 7));
  let column = state.rows + (position >>> 3);
  for (let row: u32 = 0; row < state.rowCount; row++, column += state.rowStride)
    store<u8>(state.labels + row, (load<u8>(column) >> shift) & 1);
}

function labelByPredictor(state: State, predictor: u32): void {
  const index = fieldsBefore(state, predictor + 1) - 1;
  const field = fieldAt(state, index);
  for (let code: u32 = 0; code < field.codes; code++)
    store<u8>(state.answers + code, hasCode(state, field, predictor, code) ? 1 : 0);
  let at = state.rows + index;
  for (let row: u32 = 0; row < state.rowCount; row++, at += state.rowStride)
    store<u8>(state.labels + row, load<u8>(state.answers + <usize>load<u8>(at)));
}

/** Whether no two training rows that reach the conditional have different labels. */
export function isConstant(state: State, pooled: bool): bool {
  const lastTraining: u32 = pooled ? 1 : 0;
  let zeros = false;
  let ones = false;
  for (let place: u32 = 0, end = reachingRows(state); place < end && !(zeros && ones); place++) {
    const row = reachingRow(state, place);
    if (<u32>load<u8>(state.splits + row) > lastTraining) continue;
    const label = load<u8>(state.labels + row);
    zeros = zeros || label == 0;
    ones = ones || label == 1;
  }
  return !(zeros && ones);
}
