import type { OrderedFormat, OrderedVariable } from '@orchard/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { axisTicks } from './axis-ticks.js';
import { drawHistogram } from './histogram.js';
import { histogramOf } from './histogram-facts.js';

const numbers: OrderedFormat = { type: 'number', decimals: 15, places: 15, padded: false };

/** Three cells of a density that end at these values. */
const columnOf = (low: number, high: number): OrderedVariable => ({
  kind: 'ordered',
  name: 'x',
  holes: 0,
  format: numbers,
  measure: 'density',
  edges: [low / 2 + high / 2, high],
  values: [null, null, null],
  counts: [300, 4, 4],
  tails: [1, Math.max(1, high / 2 - low / 2)],
  range: [low, high],
  cuts: [1, 2],
});

describe('an axis', () => {
  test.each([
    ['all of the numbers', -1.7e308, 1.7e308],
    ['an end that is infinite', 0, Infinity],
    ['neighbours far from 0', 1e300, 1e300 * (1 + 2 ** -52)],
    ['neighbours beyond counting', 2 ** 60, 2 ** 60 + 256],
    ['the least numbers there are', 0, 5e-324],
    ['one number', 7, 7],
  ])('has at most seven ticks on %s', (_, low, high) => {
    expect(axisTicks(numbers, low, high).length).toBeLessThanOrEqual(7);
  });

  test('has at most seven ticks between any two numbers', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(finite, finite, (one, other) => {
        const ticks = axisTicks(numbers, Math.min(one, other), Math.max(one, other));
        expect(ticks.length).toBeLessThanOrEqual(7);
        expect(ticks.every(({ label }) => !label.includes('NaN'))).toBe(true);
      }),
    );
  });
});

describe('a histogram', () => {
  test.each([
    [40.123456789012345, 1e300],
    [-1e300, 1e300],
    [1e-300, 2e-300],
  ])('of a column from %d to %d ends, with all of its rows', (low, high) => {
    const facts = histogramOf(columnOf(low, high), [300, 4, 4], [290, 10, 8]);
    expect(facts.data.length).toBeLessThanOrEqual(42);
    const all = facts.data.reduce((sum, share) => sum + share, 0) + facts.below.data + facts.above.data;
    expect(all).toBeCloseTo(1, 6);
    const page = drawHistogram('x', { type: 'histogram', ...facts });
    expect(page).not.toMatch(/NaN|Infinity/);
  });
});
