import { BitMatrix } from '@orchard/dataset';
import { randomBits } from '@orchard/numerics';

/** Columns 0 to 2 and 3 to 6 are the labels of two categories, 7 is a coin that goes with both. */
function categoryRows(rows: number, seed: number): BitMatrix {
  const matrix = BitMatrix.create(rows, 8);
  for (let row = 0; row < rows; row++) {
    const [first, second, coin] = [0, 1, 2].map((draw) => randomBits(seed, 99, row, draw)) as [number, number, number];
    matrix.set(row, first % 3, 1);
    matrix.set(row, 3 + (((first % 3) + (second % 2)) % 4), 1);
    matrix.set(row, 7, (first + (coin % 3)) % 2 === 1);
  }
  return matrix;
}

/** Training, validation and test rows of categories. */
export function categorySplits(): [BitMatrix, BitMatrix, BitMatrix] {
  return [categoryRows(160, 1), categoryRows(80, 2), categoryRows(60, 3)];
}
