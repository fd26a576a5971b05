import type { OrderedVariable } from '@orchard/contracts';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { BitMatrix } from '../rows/bit-matrix.js';
import { valuesOf } from '../table/write-table.js';
import { drawWithin } from './density.js';
import { Restriction } from './restriction.js';

/** Below 10, 10 to 20 (a cell), 20 alone, above: written with one decimal. */
const height: OrderedVariable = {
  kind: 'ordered',
  name: 'height',
  holes: 0,
  format: { type: 'number', decimals: 1, places: 1, padded: true },
  measure: 'density',
  edges: [9.95, 19.95, 20.05],
  values: [null, null, 20, null],
  counts: [5, 10, 10, 5],
  tails: [2, 3],
  range: [4, 31],
  cuts: [1, 2, 3],
};

describe('a range', () => {
  test('allows of a cell the share that lies in it, of a lone value all or nothing', () => {
    const restriction = new Restriction(height);
    restriction.allowRange(14.95, 25);
    expect([...restriction.weights].map((weight) => weight.toFixed(3))).toEqual([
      '0.000',
      '0.500',
      '1.000',
      (1 - Math.exp(-(25 - 20.05) / 3)).toFixed(3),
    ]);
  });

  test('holds for every value that is drawn, at its ends and far out on the tails', () => {
    const stream = new RandomStream(1, 8);
    for (const [code, low, high] of [
      [0, 2.3, 4.1],
      [0, -Infinity, 3],
      [1, 12.2, 12.9],
      [3, 26, Infinity],
      [3, 22, 23],
    ] as const)
      for (let draw = 0; draw < 500; draw++) {
        const value = drawWithin(height, code, stream.uniform(), [low, high]);
        expect(value).toBeGreaterThanOrEqual(low);
        expect(value).toBeLessThanOrEqual(high);
      }
  });

  test('holds for values as they are written', () => {
    const table = { variables: [height], leftOut: [], columns: ['height'], missing: '' };
    const rows = BitMatrix.fromRows(Array.from({ length: 500 }, () => [0, 1]));
    const restriction = new Restriction(height);
    restriction.allowRange(12.2, 12.5);
    const written = new Set(valuesOf(rows, table, 3, new Map([[0, restriction]]))[0]);
    expect([...written].sort()).toEqual(['12.2', '12.3', '12.4', '12.5']);
  });

  test('that overlaps another counts what is in both once', () => {
    const restriction = new Restriction({ ...height, edges: [0, 20, 20.05] });
    restriction.allowRange(0, 10);
    restriction.allowRange(5, 15);
    expect(restriction.weights[1]).toBe(0.75);
    expect(restriction.ranges).toEqual([[0, 15]]);
  });

  test('beside another in the same cell, in a tail, or around one number has its share of the values', () => {
    const table = { variables: [height], leftOut: [], columns: ['height'], missing: '' };
    const drawn = (code: number, allow: (restriction: Restriction) => void): number[] => {
      const rows = BitMatrix.fromRows(Array.from({ length: 4000 }, () => [code >> 1, code & 1]));
      const restriction = new Restriction(height);
      allow(restriction);
      return valuesOf(rows, table, 5, new Map([[0, restriction]]))[0]!.map(Number);
    };
    const inCell = drawn(1, (restriction) => {
      restriction.allowRange(11, 12);
      restriction.allowRange(15, 18);
    });
    expect(inCell.every((value) => (value >= 11 && value <= 12) || (value >= 15 && value <= 18))).toBe(true);
    expect(inCell.filter((value) => value <= 12).length / 4000).toBeCloseTo(1 / 4, 1);
    const inTail = drawn(3, (restriction) => {
      restriction.allowRange(21, 22);
      restriction.allowRange(24, 25);
    });
    // an exponential of scale 3 has fallen by e^-1 from the one to the other
    expect(inTail.filter((value) => value <= 22).length / 4000).toBeCloseTo(1 / (1 + Math.exp(-1)), 1);
    const values = drawn(1, (restriction) => {
      restriction.allowValue(11);
      restriction.allowValue(12);
    });
    expect(values.filter((value) => value === 11).length / 4000).toBeCloseTo(1 / 2, 1);
    expect(new Set(values)).toEqual(new Set([11, 12]));
  });

  test('without values allows nothing', () => {
    const restriction = new Restriction(height);
    restriction.allowRange(5, 4);
    expect(restriction.isEmpty).toBe(true);
  });
});

test('one number allows of a cell what is written like it, of values with a mass itself alone', () => {
  const inCell = new Restriction(height);
  inCell.allowValue(15);
  expect(inCell.weights[1]).toBeCloseTo(0.01, 10);
  expect(inCell.ranges).toEqual([[14.95, 15.05]]);
  const alone = new Restriction(height);
  alone.allowValue(20);
  expect([...alone.weights]).toEqual([0, 0, 1, 0]);
});
