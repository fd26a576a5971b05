import { fieldAt, fieldsBefore, hasCode } from './fields';
import { State } from './state';

/** Makes the column at `position` the target: the labels of all rows become its bits. */
export function labelByColumn(state: State, position: u32): void {
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

/** Whether no two training rows have different labels. */
export function isConstant(state: State, pooled: bool): bool {
  const lastTraining: u32 = pooled ? 1 : 0;
  let zeros = false;
  let ones = false;
  for (let row: u32 = 0; row < state.rowCount && !(zeros && ones); row++) {
    if (<u32>load<u8>(state.splits + row) > lastTraining) continue;
    const label = load<u8>(state.labels + row);
    zeros = zeros || label == 0;
    ones = ones || label == 1;
  }
  return !(zeros && ones);
}
