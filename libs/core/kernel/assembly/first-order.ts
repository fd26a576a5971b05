import { countsOf } from './patterns';
import { passRows } from './rows';
import { classStart, GRADIENT_SUM, sizeOfClass, State, TRAIN_PURE_ZERO, TRAINING_CLASSES } from './state';
import { follow, grow } from './tree';

/**
 * Replaces a pattern's weight with the number of its rows, so that gains are those of least squares; padding has none.
 */
export function weighByRows(state: State): void {
  let total: f64 = 0.0;
  for (let index: u32 = 0; index < TRAINING_CLASSES; index++) {
    const start = classStart(state, index);
    const isCounted = index >= TRAIN_PURE_ZERO;
    for (let pattern = start, end = start + sizeOfClass(state, index); pattern < end; pattern++) {
      const rows = isCounted ? load<f64>(countsOf(state, pattern)) : 1.0;
      store<f64>(state.gradients + (<usize>pattern << 4), rows, 8);
      total += rows;
    }
  }
  store<f64>(state.numbers, total, GRADIENT_SUM + 8);
}

/**
 * Grows one tree by residuals alone (gradient boosting), then sums the weights in its leaves: one more pass over the
 * rows than a tree of both derivatives takes.
 */
export function growFirstOrder(state: State): void {
  weighByRows(state);
  grow(state);
  passRows(state, false);
  follow(state, state.leafCount);
}
