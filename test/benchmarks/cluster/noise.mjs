import { BitMatrix } from '@orchard/dataset';
import { randomBits, RandomStream } from '@orchard/numerics';

const purpose = 0x6e6f6973;

/** Independent bits, a third of them ones. */
export function noise(rows, dimensions, seed) {
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++) {
    for (let dim = 0; dim < dimensions; dim++)
      matrix.set(row, dim, randomBits(seed, purpose, row, dim) % 3 === 0 ? 1 : 0);
  }
  return matrix;
}

/**
 * Columns that resemble earlier ones: column j repeats column j/2 in half of the rows and is drawn anew in the others.
 */
export function resembling(rows, dimensions, seed) {
  const stream = new RandomStream(seed, purpose);
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++) {
    for (let dim = 0; dim < dimensions; dim++) {
      const repeats = dim > 0 && stream.uniform() < 0.5;
      if (repeats ? matrix.get(row, dim >> 1) === 1 : stream.uniform() < 0.2) matrix.set(row, dim, 1);
    }
  }
  return matrix;
}
