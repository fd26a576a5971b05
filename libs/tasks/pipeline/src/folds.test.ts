import { BitMatrix } from '@orchard/dataset';
import { randomBits } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { foldSizes, refold } from './folds.js';

function randomRows(rows: number, dimensions: number, seed: number): BitMatrix {
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++)
    for (let dim = 0; dim < dimensions; dim++) matrix.set(row, dim, (randomBits(seed, 99, row, dim) & 1) === 1);
  return matrix;
}

const [train, valid] = [randomRows(50, 9, 1), randomRows(13, 9, 2)];
const rowsOf = (matrix: typeof train): string[] =>
  Array.from({ length: matrix.rows }, (_, row) => Array.from({ length: 9 }, (_, dim) => matrix.get(row, dim)).join(''));

test.each([2, 5, 63])(
  'each of %i folds has its share of the rows, together they have all, and the others train',
  (folds) => {
    const all = [...rowsOf(train), ...rowsOf(valid)].sort();
    const dealt: string[] = [];
    for (let fold = 0; fold < folds; fold++) {
      const own = refold(train, valid, { fold, folds, seed: 3 });
      expect({ train: own.train.rows, valid: own.valid.rows }).toEqual(foldSizes(63, { fold, folds }));
      expect([...rowsOf(own.train), ...rowsOf(own.valid)].sort()).toEqual(all);
      expect(own.valid.rows).toBeGreaterThan(0);
      dealt.push(...rowsOf(own.valid));
    }
    expect(dealt.sort()).toEqual(all);
  },
);

test('a fold depends on the seed, and mixes the splits', () => {
  const of = (seed: number): string[] => rowsOf(refold(train, valid, { fold: 0, folds: 4, seed }).valid);
  expect(of(1)).toEqual(of(1));
  expect(of(1)).not.toEqual(of(2));
  const first = new Set(rowsOf(train));
  expect(of(1).some((row) => first.has(row))).toBe(true);
});
