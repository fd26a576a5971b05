import { expect, test } from 'vitest';
import { meanOf, sumOf } from './sum-of.js';

test('values are summed in their order, so that the same ones have the same sum', () => {
  expect(sumOf([1e16, 1, -1e16])).toBe(0);
  expect(sumOf(Float64Array.of(1e16, -1e16, 1))).toBe(1);
  expect(sumOf([])).toBe(0);
});

test('the mean is that of all values, and of none not a number', () => {
  expect(meanOf(Uint8Array.of(0, 1, 1, 0))).toBe(0.5);
  expect(meanOf([])).toBeNaN();
});
