import { expect, test } from 'vitest';
import { describeLine } from '@orchard/model';
import { ordered, tableOfVariables } from '../random-table.suite.js';
import { lineFigures } from './line-figures.js';

const table = tableOfVariables(['area', 'radius', 'perimeter'].map((name) => ordered(name, 8, 'density', 2)));
const none = null;
const line = (gains: Float64Array, hasProducts = false) => ({ gains, hasProducts });

test('a line is on the two columns that tell it most, over all members that have one', () => {
  expect(lineFigures(table, [none])).toEqual({});
  const one = lineFigures(table, [line(Float64Array.of(0, 1, 3))]);
  expect(describeLine('area', one.line!)).toBe('area on perimeter and radius');
  const mixed = lineFigures(table, [line(Float64Array.of(0, 1, 3)), none, line(Float64Array.of(0, 5, 1), true)]);
  expect(describeLine('area', mixed.line!)).toBe('area on radius and perimeter, with products (2 members)');
});

test('a line that leans on nothing says so', () => {
  const one = lineFigures(table, [line(new Float64Array(3))]);
  expect(describeLine('area', one.line!)).toBe('area on no column alone');
});
