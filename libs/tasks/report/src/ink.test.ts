import { BitMatrix } from '@orchard/dataset';
import { expect, it } from 'vitest';
import { inkPath } from './ink.js';

it('draws runs of ones line by line and never across the end of a line', () => {
  const image = BitMatrix.fromRows(['01111100'], { shape: [2, 4] });
  expect(inkPath(image, 0, 4)).toBe('M1 0h3v1h-3zM0 1h2v1h-2z');
});

it('draws where two rows differ', () => {
  const matrix = BitMatrix.fromRows(['0110', '0011']);
  expect(inkPath(matrix, 0, 4, { matrix, row: 1 })).toBe('M1 0h1v1h-1zM3 0h1v1h-1z');
});

it('draws nothing for a row of zeros', () => {
  expect(inkPath(BitMatrix.fromRows(['0000']), 0, 4)).toBe('');
});
