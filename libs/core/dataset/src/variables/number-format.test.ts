import { expect, test } from 'vitest';
import { decimalsOfText, writeNumber } from './number-format.js';

const written = (decimals: number, padded: boolean, ...values: readonly number[]): string[] =>
  values.map((value) => writeNumber(value, { type: 'number', decimals, places: decimals, padded }));

test('numbers of a padded column all have its digits behind the point', () => {
  expect(written(2, true, 3, 2.5, -0.25, -0, -0.001)).toEqual(['3.00', '2.50', '-0.25', '0.00', '0.00']);
  expect(written(0, true, 3, -0, 1e15, -7)).toEqual(['3', '0', '1000000000000000', '-7']);
  expect(written(18, true, 0.1)).toEqual(['0.100000000000000006']);
});

test('those of any other column have as few digits as tell them, and one behind the point', () => {
  expect(written(2, false, 3, 2.5, 2.25, -0, 1e21)).toEqual(['3.0', '2.5', '2.25', '0.0', '1e+21']);
  expect(written(17, false, 0.1 + 0.2, 0.3, 0.7, 3)).toEqual(['0.30000000000000004', '0.3', '0.7', '3.0']);
  expect(written(7, false, 1e-7, 0.5)).toEqual(['0.0000001', '0.5']);
  expect(written(20, false, 0, 3e-30, -2, 0.25)).toEqual(['0.0', '3e-30', '-2.0', '0.25']);
});

test('what has more digits than the column is rounded', () => {
  expect(written(2, false, 2.996, 1 / 3)).toEqual(['3.0', '0.33']);
  expect(written(2, true, 2.996, 1 / 3)).toEqual(['3.00', '0.33']);
});

test('a point or an exponent makes a column one of fractions, a sign does not', () => {
  expect(['7', '+7', '7.', '1e3', '1E3', '1.25e1', '.5', '2.5e-3'].map(decimalsOfText)).toEqual([
    0, 0, 1, 1, 1, 1, 1, 4,
  ]);
});
