import type { OrderedVariable } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { smoothing } from './smoothed-shares.js';

const column = (values: readonly (number | null)[]): OrderedVariable =>
  ({ kind: 'ordered', values }) as OrderedVariable;

test('a bin among likely ones gains, one far away does not, and the sum stays', () => {
  const smooth = smoothing(column(Array.from({ length: 64 }, (_, value) => value)));
  // a code beyond the values stands for a missing one
  const shares = Float64Array.from({ length: 65 }, (_, code) => (code < 10 && code !== 5 ? 0.1 : 0));
  shares[64] = 0.1;
  const smoothed = smooth(shares);
  expect(smoothed[5]).toBeGreaterThan(0.015);
  expect(smoothed[40]).toBe(0);
  expect(smoothed[64]).toBe(0.1);
  expect(smoothed.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
});

test('neighbours are those beside a cell, also of one that is a value alone, and few values stay as they are', () => {
  // bins of a measurement, of which one is the value 500
  const values = Array.from({ length: 64 }, (_, code) => (code === 10 ? 500 : null));
  const shares = Float64Array.from(values, (_, code) => (code >= 8 && code < 12 ? 0.25 : 0));
  const smoothed = smoothing(column(values))(shares);
  expect(smoothed[7]).toBeGreaterThan(0);
  expect([smoothed[10], smoothed[9]]).toEqual([smoothed[9], smoothed[10]]);
  expect(smoothed[63]).toBe(0);
  const few = Float64Array.of(0.5, 0.5, 0);
  expect(smoothing(column([1, 2, 3]))(few)).toBe(few);
});
