import { expect, test } from 'vitest';
import { describeLine } from '@orchard/model';
import { ordered, tableOfVariables } from '../random-table.suite.js';
import { lineFigures } from './line-figures.js';

const table = tableOfVariables(['area', 'radius', 'perimeter'].map((name) => ordered(name, 8, 'density', 2)));
const none = null;

test('a line is on the two columns that tell it most, over all members that have one', () => {
  expect(lineFigures(table, [none])).toEqual({});
  const { line } = lineFigures(table, [Float64Array.of(0, 1, 3)]);
  expect(describeLine('area', line!)).toBe('area on perimeter and radius');
  const mixed = lineFigures(table, [Float64Array.of(0, 1, 3), none, Float64Array.of(0, 5, 1)]);
  expect(describeLine('area', mixed.line!)).toBe('area on radius and perimeter (2 members)');
});

test('a line that leans on nothing says so', () => {
  const { line } = lineFigures(table, [new Float64Array(3)]);
  expect(describeLine('area', line!)).toBe('area on no column alone');
});
