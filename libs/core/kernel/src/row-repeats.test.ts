import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { rowRepeats } from './row-repeats.js';

const STRIDE = 3;

/** Rows of bytes below `values`, each `times` times. */
function rowsOf(rows: number, values: number, times: number): number[][] {
  const stream = new RandomStream(7, 1021);
  const distinct = Array.from({ length: rows }, () => Array.from({ length: STRIDE }, () => stream.below(values)));
  return distinct.flatMap((row) => Array.from({ length: times }, () => row));
}

function repeatsOf(rows: readonly (readonly number[])[]): number {
  const bytesOf = (some: typeof rows) => ({ bytes: Uint8Array.from(some.flat()), stride: STRIDE });
  return rowRepeats(bytesOf(rows), () =>
    bytesOf([...rows].sort((one, other) => (String(one) < String(other) ? -1 : 1))),
  );
}

describe('how often a row stands', () => {
  it('is found where rows differ', () => {
    expect(repeatsOf(rowsOf(200, 250, 1))).toBe(1);
    expect(repeatsOf(rowsOf(200, 250, 6))).toBeCloseTo(6, 1);
  });

  it('is once of rows of few values, which are equal by chance, and beyond chance found of these too', () => {
    expect(repeatsOf(rowsOf(2000, 1, 1))).toBe(1);
    expect(repeatsOf(rowsOf(2000, 2, 1))).toBe(1);
    expect(repeatsOf(rowsOf(2000, 2, 6))).toBeGreaterThan(4);
  });

  it('is once of no row, and of one', () => {
    expect(repeatsOf([])).toBe(1);
    expect(repeatsOf([[1, 2, 3]])).toBe(1);
  });
});
