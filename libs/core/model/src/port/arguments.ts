import { BitMatrix } from '@orchard/dataset';
import { asBitMatrix, type BinaryMatrix } from './binary-matrix.js';
import { ModelError } from '../errors.js';
import type { Variables } from '../file/model-head.js';

/** @throws ModelError `invalid-argument` unless the value is a whole number within the bounds */
export function checkWhole(what: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new ModelError('invalid-argument', {
    got: `${what} ${value}`,
    expected: `a whole number from ${least} to ${most}`,
    remedy: `Give another ${what}.`,
  });
}

/** Of rows to draw. @throws ModelError `invalid-argument` */
export function checkCount(count: number): void {
  checkWhole('count', count, 0, 2 ** 32 - 1);
}

/** @throws ModelError `invalid-argument` */
export function checkSeed(seed: number): void {
  checkWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER);
}

/** Rows of zeros with a model's names and shape. */
export function emptyMatrix(rows: number, { dimensions, names, shape }: Variables): BitMatrix {
  return BitMatrix.create(rows, dimensions, { names, shape });
}

/** Rows to be completed. */
export interface Blanks {
  /** The known values, and zeros in place of the others: a matrix of its own, to be filled. */
  readonly matrix: BitMatrix;
  readonly known: BitMatrix;
}

/**
 * @throws ModelError `invalid-argument` for rows of another width than the model's, or more values than masks or fewer
 */
export function blanksOf(values: BinaryMatrix, known: BinaryMatrix, variables: Variables): Blanks {
  const from = asBitMatrix(values, variables.dimensions);
  const mask = asBitMatrix(known, variables.dimensions);
  if (from.rows !== mask.rows) {
    throw new ModelError('invalid-argument', {
      got: `${from.rows} rows of values and ${mask.rows} rows of what is known`,
      expected: 'as many of both',
      remedy: 'Mark for each row which of its values are known.',
    });
  }
  const matrix = emptyMatrix(from.rows, variables);
  for (let at = 0; at < matrix.bytes.length; at++) matrix.bytes[at] = from.bytes[at]! & mask.bytes[at]!;
  return { matrix, known: mask };
}
