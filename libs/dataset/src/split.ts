import { Purpose, randomBits } from '@orchard/numerics';
import type { BitMatrix } from './bit-matrix.js';
import { DatasetError } from './errors.js';

/**
 * Splits off validation rows: row `i` is one where `randomBits(seed, split, i, 0) < fraction * 2^32`. So a row's side
 * depends on seed, fraction and its own number alone: not on the machine, nor on how many rows follow.
 * @param fraction above 0 and below 1; about this share of the rows goes to `valid`
 * @throws DatasetError where a side would be without rows.
 */
export function splitRows(matrix: BitMatrix, fraction: number, seed: number): { train: BitMatrix; valid: BitMatrix } {
  if (!(fraction > 0 && fraction < 1) || !Number.isSafeInteger(seed) || seed < 0)
    throw new DatasetError('argument', {
      got: `fraction ${fraction} and seed ${seed}`,
      expected: 'a fraction between 0 and 1, and a whole number from 0 to 2^53 - 1 as seed',
      remedy: 'Take 0.1 for a tenth of the rows.',
    });
  const sides: [number[], number[]] = [[], []];
  for (let row = 0; row < matrix.rows; row++) {
    const isValid = randomBits(seed, Purpose.split, row, 0) < fraction * 2 ** 32;
    sides[isValid ? 1 : 0].push(row);
  }
  const [train, valid] = sides;
  if (train.length === 0 || valid.length === 0)
    throw new DatasetError('empty', {
      got: `${train.length} training rows and ${valid.length} validation rows of ${matrix.rows}`,
      expected: 'at least one of each',
      remedy: 'Take another fraction or seed, or give the validation rows as a file.',
    });
  return { train: matrix.selectRows(train), valid: matrix.selectRows(valid) };
}
