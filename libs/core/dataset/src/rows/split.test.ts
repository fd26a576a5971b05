import { Purpose, randomBits } from '@orchard/numerics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitMatrix } from './bit-matrix.js';
import { refusalOf, rowsOf } from '../bit-files/reading.suite.js';
import { assignRows, rowsOfShare, splitRows, type RowSplit } from './split.js';

/** Rows that tell their own number. */
const numbered = (rows: number): BitMatrix =>
  BitMatrix.fromRows(Array.from({ length: rows }, (_, row) => row.toString(2).padStart(14, '0')));
const numbersOf = (matrix: BitMatrix | null): number[] =>
  matrix === null ? [] : rowsOf(matrix).map((row) => parseInt(row, 2));
const sizesOf = ({ train, valid, test }: RowSplit): (number | null)[] => [
  train.rows,
  valid?.rows ?? null,
  test?.rows ?? null,
];

describe('splitRows', () => {
  it('puts every row into one split, in order, and exactly the rounded share into each', () => {
    expect(sizesOf(splitRows(numbered(11), { valid: 0.1 }, 0))).toEqual([10, 1, null]);
    expect(sizesOf(splitRows(numbered(1000), { valid: 0.1, test: 0.2 }, 3))).toEqual([700, 100, 200]);
    expect(sizesOf(splitRows(numbered(15), { test: 0.1 }, 3))).toEqual([13, null, 2]);
    const share = fc.double({ min: 0.02, max: 0.45, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 900 }), share, share, fc.nat(1000), (rows, valid, test, seed) => {
        const split = splitRows(numbered(rows), { valid, test }, seed);
        const parts = [split.train, split.valid, split.test].map(numbersOf);
        for (const part of parts) expect(part).toEqual(part.toSorted((left, right) => left - right));
        expect(parts.flat().toSorted((left, right) => left - right)).toEqual(
          Array.from({ length: rows }, (_, row) => row),
        );
        expect(parts.slice(1).map((part) => part.length)).toEqual([rowsOfShare(rows, valid), rowsOfShare(rows, test)]);
      }),
      { numRuns: 50 },
    );
  });

  it('depends on seed and row numbers alone: the same on every machine, another for another seed', () => {
    const split = splitRows(numbered(40), { valid: 0.25, test: 0.1 }, 3);
    expect(numbersOf(split.valid)).toMatchInlineSnapshot(`
      [
        0,
        4,
        6,
        8,
        20,
        22,
        27,
        28,
        34,
        38,
      ]
    `);
    expect(numbersOf(split.test)).toMatchInlineSnapshot(`
      [
        11,
        25,
        29,
        39,
      ]
    `);
    const other = splitRows(numbered(40), { valid: 0.25, test: 0.1 }, 4);
    expect(numbersOf(other.valid)).not.toEqual(numbersOf(split.valid));
  });

  it('takes test rows from those that would train: validation rows stay', () => {
    const without = splitRows(numbered(500), { valid: 0.2 }, 5);
    const withTest = splitRows(numbered(500), { valid: 0.2, test: 0.3 }, 5);
    expect(numbersOf(withTest.valid)).toEqual(numbersOf(without.valid));
    expect(numbersOf(without.train)).toEqual(expect.arrayContaining(numbersOf(withTest.test)));
  });

  it('takes a part of the rows, and of it the shares: a larger part holds a smaller one', () => {
    const part = (rows: number) => splitRows(numbered(500), { valid: 0.2, test: 0.1, rows }, 5);
    expect(sizesOf(part(100))).toEqual([70, 20, 10]);
    const [few, more] = [part(100), part(300)].map(({ train, valid, test }) =>
      [train, valid, test].flatMap((side) => numbersOf(side)),
    );
    expect(new Set(few).size).toBe(100);
    expect(more).toEqual(expect.arrayContaining(few!));
    expect(sizesOf(splitRows(numbered(500), { rows: 60 }, 5))).toEqual([60, null, null]);
    // all of them are what they are without
    const [all, plain] = [part(900), splitRows(numbered(500), { valid: 0.2, test: 0.1 }, 5)];
    expect([all.train, all.valid, all.test].map(numbersOf)).toEqual(
      [plain.train, plain.valid, plain.test].map(numbersOf),
    );
  });

  it('draws rows fairly: each validates in about its share of seeds', () => {
    const times = new Array<number>(20).fill(0);
    for (let seed = 0; seed < 2000; seed++)
      for (const row of numbersOf(splitRows(numbered(20), { valid: 0.25 }, seed).valid)) times[row]!++;
    // 500 expected, with a standard deviation of 19.4
    expect(Math.min(...times)).toBeGreaterThan(420);
    expect(Math.max(...times)).toBeLessThan(580);
  });

  it('refuses fractions that are none, and a split without rows', async () => {
    for (const [valid, test] of [
      [1, 0],
      [-0.1, 0],
      [NaN, 0],
      [0.5, 0.5],
    ] as const)
      expect(await refusalOf(() => splitRows(numbered(9), { valid, test }, 1))).toMatchObject({
        code: 'argument',
        got: `the fractions ${valid} and ${test}, and seed 1`,
        expected: expect.stringContaining('together below 1') as string,
        remedy: 'Take 0.1 for a tenth of the rows.',
      });
    expect(await refusalOf(() => splitRows(numbered(4), { valid: 0.1 }, 1))).toMatchObject({
      code: 'empty',
      got: '4 training rows and 0 validation rows of 4',
      expected: 'at least one of each',
      remedy: 'Take other fractions, or give these rows as a file.',
    });
    expect(await refusalOf(() => splitRows(numbered(2), { valid: 0.4, test: 0.4 }, 1))).toMatchObject({
      got: '0 training rows, 1 validation rows and 1 test rows of 2',
    });
  });
});

it('many rows, whose ranks are counted, are split as few are, whose ranks are sorted', () => {
  const rows = 2 ** 16 + 5000;
  const rank = Array.from({ length: rows }, (_, row) => randomBits(5, Purpose.split, row, 0));
  const order = Array.from(rank.keys()).sort((a, b) => rank[a]! - rank[b]! || a - b);
  const expected = new Uint8Array(rows);
  const [valid, heldOut] = [rowsOfShare(rows, 0.1), rowsOfShare(rows, 0.1) + rowsOfShare(rows, 0.25)];
  order.forEach((row, place) => (expected[row] = place < valid ? 1 : place < heldOut ? 2 : 0));
  expect(Buffer.compare(assignRows(rows, { valid: 0.1, test: 0.25 }, 5), expected)).toBe(0);
});
