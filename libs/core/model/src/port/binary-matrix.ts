import { BitMatrix } from '@orchard/dataset';
import { ModelError } from '../errors.js';

/**
 * What a model takes for N rows of D columns, in stored column order: a {@link BitMatrix}, or plain values row after
 * row, one byte each and 0 or 1 (length N x D).
 */
export type BinaryMatrix = BitMatrix | Uint8Array;

/**
 * The matrix itself, or plain values packed.
 * @throws ModelError `invalid-argument` for another width, a ragged last row, or a value other than 0 and 1
 */
export function asBitMatrix(matrix: BinaryMatrix, dimensions: number): BitMatrix {
  if (matrix instanceof Uint8Array) return pack(matrix, dimensions);
  if (matrix.dimensions !== dimensions) {
    throw new ModelError('invalid-argument', {
      got: `a matrix of ${matrix.dimensions} columns`,
      expected: `${dimensions} columns, as the model has`,
      remedy: 'Give all columns of the model, in its order (`names`).',
    });
  }
  return matrix;
}

function pack(values: Uint8Array, dimensions: number): BitMatrix {
  const rows = values.length / dimensions;
  if (!Number.isInteger(rows)) {
    throw new ModelError('invalid-argument', {
      got: `${values.length} values`,
      expected: `a multiple of ${dimensions}, the columns of the model`,
      remedy: 'Give whole rows, one after another.',
    });
  }
  const matrix = BitMatrix.create(rows, dimensions);
  const { bytes, stride } = matrix;
  for (let row = 0; row < rows; row++) {
    for (let dim = 0; dim < dimensions; dim++) {
      const value = values[row * dimensions + dim]!;
      if (value > 1) {
        throw new ModelError('invalid-argument', {
          got: `the value ${value}`,
          expected: '0 or 1',
          where: `row ${row}, column ${dim}`,
          remedy: 'Make the values binary first.',
        });
      }
      bytes[row * stride + (dim >> 3)]! |= value << (7 - (dim & 7));
    }
  }
  return matrix;
}

/** The values of a matrix row after row, one byte each: length rows x dimensions. */
export function toValues(matrix: BitMatrix): Uint8Array {
  const { rows, dimensions } = matrix;
  const values = new Uint8Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    for (let dim = 0; dim < dimensions; dim++) values[row * dimensions + dim] = matrix.get(row, dim);
  }
  return values;
}
