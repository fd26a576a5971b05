import type { OrderedVariable } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import { binary, categorical, ordered } from '../variables/small-tables.suite.js';
import { commonExpectation, expectationOf, isExpected } from './expectation.js';

const noEnds = { expectedLow: null, expectedHigh: null };

describe('what is expected', () => {
  test('of labels is the likeliest, missing values with them', () => {
    expect(expectationOf(categorical('c', 3), Float64Array.of(0.2, 0.7, 0.1, 0))).toEqual({
      ...{ expected: 'c1 (70 %)', ...noEnds, expectedLabel: 'c1' },
    });
    expect(expectationOf(binary('b', 1), Float64Array.of(0.2, 0.2, 0.6))).toEqual({
      ...{ expected: 'missing (60 %)', ...noEnds, expectedLabel: null },
    });
  });

  test('of numbers is where the middle 80 % lie, on the grid of the column, and missing where that is likelier', () => {
    const variable = ordered('n', 5, 'density', 1);
    const present = Float64Array.of(0, 0.25, 0.25, 0.25, 0.25, 0);
    const found = expectationOf(variable, present);
    expect(found.expectedLabel).toBeNull();
    expect(found.expected).toBe(`${String(found.expectedLow)} … ${String(found.expectedHigh)}`);
    expect([typeof found.expectedLow, typeof found.expectedHigh]).toEqual(['number', 'number']);
    // likelier than each cell, and less likely than all
    expect(expectationOf(variable, Float64Array.of(0.1, 0.1, 0.2, 0.1, 0.1, 0.4)).expectedLow).not.toBeNull();
    expect(expectationOf(variable, Float64Array.of(0, 0.2, 0, 0.2, 0, 0.6)).expected).toBe('missing (60 %)');
  });

  test('is written with the decimals of the column, of computed numbers with as many as tell the ends apart', () => {
    const cells = { ...ordered('n', 4, 'density'), edges: [1, 2, 3] } as OrderedVariable;
    const shares = Float64Array.of(0, 0.5, 0.5, 0);
    const withPlaces = (places: number): string =>
      expectationOf({ ...cells, format: { type: 'number', decimals: places, places, padded: false } }, shares).expected;
    expect([0, 1, 3, 17].map(withPlaces)).toEqual(['1 … 3', '1.2 … 2.8', '1.2 … 2.8', '1.2 … 2.8']);
  });

  test('by several models is their mean, and of where values lie the median', () => {
    const label = categorical('c', 2);
    const opinions = [Float64Array.of(0.9, 0.1, 0), Float64Array.of(0.2, 0.8, 0)];
    expect(commonExpectation(opinions.map((shares) => ({ variable: label, shares }))).expected).toBe('c0 (55 %)');
    const number = ordered('n', 3, 'mass') as OrderedVariable;
    const sure = [0, 2, 1].map((code) => Float64Array.from({ length: 4 }, (_, at) => (at === code ? 1 : 0)));
    const common = commonExpectation(sure.map((shares) => ({ variable: number, shares })));
    expect(common.expectedLow).toBe(number.values[1]);
    expect(common.expectedHigh).toBe(number.values[1]);
  });

  test('is what a cell holds, or is not', () => {
    const label = categorical('c', 2);
    const ofLabel = expectationOf(label, Float64Array.of(0.9, 0.1, 0));
    expect([0, 1, 2].map((code) => isExpected(label, ofLabel, code, NaN))).toEqual([true, false, false]);
    const number = ordered('n', 4, 'mass', 1) as OrderedVariable;
    const ofNumber = expectationOf(number, Float64Array.of(0, 0.5, 0.5, 0, 0, 0));
    const [first, second, third] = number.values as [number, number, number];
    expect([first, second, third].map((value, code) => isExpected(number, ofNumber, code, value))).toEqual([
      ...[false, true, true],
    ]);
    // a missing value among numbers is not, and is among missing values
    expect(isExpected(number, ofNumber, 5, NaN)).toBe(false);
    expect(isExpected(number, expectationOf(number, Float64Array.of(0, 0, 0, 0, 0, 1)), 5, NaN)).toBe(true);
  });
});
