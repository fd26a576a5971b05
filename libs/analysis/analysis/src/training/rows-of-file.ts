import { assignRows, BitMatrix, splitRows } from '@orchard/dataset';
import { VALID_SHARE, type ModelToTrain } from './train-model.js';

/** The row of the file at each place of training and validation rows together. */
export function orderOfSplits(rows: number, validShare: number, seed: number): Uint32Array {
  const splitOf = assignRows(rows, { valid: validShare }, seed);
  const numbers = Array.from(splitOf.keys());
  return Uint32Array.from([
    ...numbers.filter((row) => splitOf[row] === 0),
    ...numbers.filter((row) => splitOf[row] === 1),
  ]);
}

/**
 * Training and validation rows that were drawn from one file, in its order.
 *
 * @param validShare share of the rows that were drawn for validation
 * @param seed by which they were drawn
 */
export function rowsInFileOrder({ train, valid }: ModelToTrain['splits'], validShare: number, seed: number): BitMatrix {
  const order = orderOfSplits(train.rows + valid.rows, validShare, seed);
  const rows = BitMatrix.create(order.length, train.dimensions, { names: train.names, shape: train.shape });
  order.forEach((row, place) => {
    const from = place < train.rows ? train : valid;
    const at = place < train.rows ? place : place - train.rows;
    rows.bytes.set(from.bytes.subarray(at * from.stride, (at + 1) * from.stride), row * rows.stride);
  });
  return withTable(rows, train);
}

/** Some of the rows, of which a share is drawn to choose the model's size. */
export function splitsOf(rows: BitMatrix, numbers: readonly number[], seed: number): ModelToTrain['splits'] {
  const { train, valid } = splitRows(rows.selectRows(numbers), { valid: VALID_SHARE }, seed);
  return { train: withTable(train, rows), valid: withTable(valid!, rows) };
}

/** The rows with the meaning that other rows of the same columns have, in memory that threads share. */
function withTable(rows: BitMatrix, { columns, names, shape }: BitMatrix): BitMatrix {
  const whole = BitMatrix.create(rows.rows, rows.dimensions, { names, shape, shared: true, columns: columns.ofCodes });
  whole.bytes.set(rows.bytes);
  return whole;
}
