import type { OrderedVariable } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { ValueDistribution } from '../variables/value-distribution.js';
import { textWithin } from './drawn-text.js';

/** Counts, of which none is below 0. */
const counts: OrderedVariable = {
  ...{ kind: 'ordered', name: 'visits', holes: 0, measure: 'density', cuts: [1, 2] },
  format: { type: 'number', decimals: 0, places: 0, padded: true },
  ...{ edges: [2.5, 7.5], values: [null, null, null], counts: [6, 7, 3], tails: [3, 3.5], range: [0, 12] },
  ...{ pieces: { borders: [-0.5, 2.5, 7.5, 12.5], weights: [6, 7, 3], beyond: [4, 1] }, bounds: [0, null] },
};
/** The same with so many of 0 that it has a cell of its own, and one below it. */
const mostlyZero: OrderedVariable = {
  ...counts,
  ...{ edges: [-0.5, 0.5, 7.5], values: [null, 0, null, null], counts: [0, 6, 7, 3], cuts: [1, 2, 3] },
  pieces: { borders: [-1.5, -0.5, 0.5, 7.5, 12.5], weights: [0.5, 6, 7, 3], beyond: [1, 1] },
};
const numbers = Array.from({ length: 50 }, (_, at) => (at + 0.5) / 50);

test.each([undefined, [[-5, 3]], [[-Infinity, 2]]] as const)(
  'a value of a tail keeps to the bounds of its column, within %j too',
  (ranges) => {
    const texts = numbers.map((number) => textWithin(counts, 0, number, ranges));
    expect(new Set(texts)).toEqual(new Set(['0', '1', '2']));
  },
);

test('a cell beyond the bounds is written as the bound', () => {
  for (const number of numbers) {
    expect(textWithin(mostlyZero, 0, number)).toBe('0');
    expect(textWithin(mostlyZero, 0, number, [[-5, 3]])).toBe('0');
    expect(new ValueDistribution(mostlyZero, [1, 0, 0, 0]).quantile(number)).toBe(0);
  }
  const padded = { ...mostlyZero, format: { ...mostlyZero.format, decimals: 2, places: 2 } } as OrderedVariable;
  expect(textWithin(padded, 0, 0.3)).toBe('0.00');
});
