import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitMatrix } from './bit-matrix.js';
import { refusalOf, rowsOf } from './reading.suite.js';
import { splitRows } from './split.js';

/** Rows that tell their own number. */
const numbered = (rows: number): BitMatrix =>
  BitMatrix.fromRows(Array.from({ length: rows }, (_, row) => row.toString(2).padStart(14, '0')));

describe('splitRows', () => {
  it('puts every row on one side, in order, about the fraction on the validation side', () => {
    const { train, valid } = splitRows(numbered(10_000), 0.1, 7);
    expect([...rowsOf(train), ...rowsOf(valid)].toSorted()).toEqual(rowsOf(numbered(10_000)));
    expect(rowsOf(valid)).toEqual(rowsOf(valid).toSorted());
    expect(valid.rows).toBeGreaterThan(900);
    expect(valid.rows).toBeLessThan(1100);
  });

  it('depends on seed and row number alone: the same on every machine and for any longer file', () => {
    expect(rowsOf(splitRows(numbered(40), 0.25, 3).valid).map((row) => parseInt(row, 2))).toMatchInlineSnapshot(`
      [
        0,
        4,
        6,
        8,
        11,
        18,
        20,
        22,
        25,
        27,
        28,
        29,
        34,
        38,
        39,
      ]
    `);
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 400 }), fc.nat(1000), (rows, seed) => {
        const short = rowsOf(splitRows(numbered(rows), 0.3, seed).valid);
        const long = rowsOf(splitRows(numbered(500), 0.3, seed).valid);
        expect(long.slice(0, short.length)).toEqual(short);
      }),
      { numRuns: 20 },
    );
    expect(rowsOf(splitRows(numbered(400), 0.3, 1).valid)).not.toEqual(rowsOf(splitRows(numbered(400), 0.3, 2).valid));
  });

  it('refuses fractions that are none, and a side without rows', async () => {
    for (const fraction of [0, 1, -0.1, NaN])
      expect(await refusalOf(() => splitRows(numbered(9), fraction, 1))).toMatchObject({
        code: 'argument',
        got: `fraction ${fraction} and seed 1`,
        expected: 'a fraction between 0 and 1, and a whole number from 0 to 2^53 - 1 as seed',
        remedy: 'Take 0.1 for a tenth of the rows.',
      });
    expect(await refusalOf(() => splitRows(numbered(1), 0.01, 1))).toMatchObject({
      code: 'empty',
      got: '1 training rows and 0 validation rows of 1',
      expected: 'at least one of each',
      remedy: 'Take another fraction or seed, or give the validation rows as a file.',
    });
  });
});
