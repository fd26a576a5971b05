import { expect, test } from 'vitest';
import { gaussianBelow, gaussianDensity } from './gaussian.js';
import { risingRoot } from './rising-root.js';

test('finds where a function is zero, from a good guess and from one whose steps lead away', () => {
  for (const first of [0.1, 2.9]) expect(risingRoot((x) => [x * x * x - 8, 3 * x * x], 0, 3, first)).toBeCloseTo(2, 11);
  // a step from 4 leads to -1e3
  const root = risingRoot((x) => [gaussianBelow(x) - 0.3, gaussianDensity(x)], -8, 8, 4);
  expect(gaussianBelow(root)).toBeCloseTo(0.3, 12);
});

test('ends where the function is flat, or nowhere zero', () => {
  expect(risingRoot((x) => [x < 1 ? -1 : 1, 0], 0, 4, 2)).toBeCloseTo(1, 9);
  expect(risingRoot(() => [-1, 0], 0, 4, 2)).toBeCloseTo(4, 9);
});
