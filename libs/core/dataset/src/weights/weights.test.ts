import { RandomStream } from '@orchard/numerics';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RawCell } from '../table-files/raw-table.js';
import { rawTable } from '../table/columns.suite.js';
import { readTableSplits } from '../table/read-splits.js';
import { readWeights } from './read-weights.js';
import { repeatsOf } from './row-repeats.js';
import { weighedInWords } from './weighed-in-words.js';

const columns = ['age', 'city', 'income', 'weight'];

/** Rows of three columns and a weight. */
function rowsOf(count: number, weightOf: (row: number) => RawCell): RawCell[][] {
  const stream = new RandomStream(3, 1007);
  return Array.from({ length: count }, (_, row) => [
    String(20 + stream.below(40)),
    stream.below(9) === 0 ? null : `city ${String(stream.below(4))}`,
    (900 * stream.uniform()).toFixed(2),
    weightOf(row),
  ]);
}

const read = (train: RawCell[][], valid: RawCell[][] | null, fractions = {}) =>
  readTableSplits(
    { train: rawTable(columns, train), valid: valid && rawTable(columns, valid), test: null },
    fractions,
    1,
    { weights: 'weight' },
  );

describe('whole weights', () => {
  test('give the table and the rows of repeated rows, to the bit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 20, maxLength: 60 }), async (weights) => {
        const train = rowsOf(weights.length, (row) => String(weights[row]));
        const repeated = train.flatMap((row, at) =>
          Array.from({ length: weights[at]! }, (): RawCell[] => [...row.slice(0, 3), '1']),
        );
        const [one, other] = [await read(train, train), await read(repeated, repeated)];
        expect(one.table).toEqual(other.table);
        expect(one.train.contentHash()).toBe(other.train.contentHash());
        expect(one.valid!.contentHash()).toBe(other.valid!.contentHash());
      }),
      { numRuns: Number(process.env['ORCHARD_PROPERTY_RUNS'] ?? 10) },
    );
  });

  test('keep all repeats of a row in one split', async () => {
    const distinct = Array.from({ length: 40 }, (_, row): RawCell[] => [
      `age ${row % 8}`,
      `city ${row >> 3}`,
      '1.5',
      '6',
    ]);
    const { train, valid, weighed } = await read(distinct, null, { valid: 0.25 });
    expect([train.rows, valid!.rows]).toEqual([180, 60]);
    expect(weighed).toEqual({ column: 'weight', rows: 40, repeated: 240, step: 1, notTaken: 0 });
    const texts = (rows: typeof train): Set<string> =>
      new Set(Array.from({ length: rows.rows }, (_, row) => rows.selectRows([row]).contentHash()));
    expect([...texts(valid!)].filter((row) => texts(train).has(row))).toEqual([]);
  });

  test('leave the number of a row out, as it is where rows stand once', async () => {
    const rows = rowsOf(30, () => '3').map((row, at): RawCell[] => [String(at + 1), ...row.slice(1)]);
    const { table } = await read(rows, null);
    expect(table.leftOut).toMatchObject([
      { name: 'age', why: 'it counts the rows' },
      { name: 'weight', why: 'it weighs the rows' },
    ]);
  });
});

describe('other weights', () => {
  test('are in steps of their mean, whose sums are right within one: so many rows as there are', () => {
    const stream = new RandomStream(5, 1007);
    const weights = Float64Array.from({ length: 1000 }, () => 0.01 + 40 * stream.uniform() ** 3);
    const { repeats, step } = repeatsOf([weights]);
    const mean = weights.reduce((sum, weight) => sum + weight, 0) / 1000;
    expect(step).toBe(mean);
    let [weighed, taken] = [0, 0];
    weights.forEach((weight, row) => {
      weighed += weight;
      taken += repeats[0]![row]!;
      expect(Math.abs(weighed - taken * step)).toBeLessThanOrEqual(step);
    });
    expect(taken).toBe(1000);
  });

  test('that are equal are equal on the grid, and so many whole ones that rows of them would fill the memory', () => {
    expect([...new Set(repeatsOf([new Float64Array(100).fill(0.3)]).repeats[0])]).toEqual([1]);
    expect([...new Set(repeatsOf([new Float64Array(100).fill(1e6)]).repeats[0])]).toEqual([1]);
    expect([...repeatsOf([Float64Array.of(1e6, 2)]).repeats[0]!]).toEqual([1e6, 2]);
  });

  test('of a second file have the grid of the first', () => {
    const { repeats } = repeatsOf([new Float64Array(10).fill(0.5), new Float64Array(10).fill(1.5)]);
    expect([...repeats[1]!]).toEqual(Array(10).fill(3));
  });
});

describe('what is no weight is refused', () => {
  const refusal = (cell: RawCell): Promise<unknown> =>
    readWeights(
      rawTable(
        columns,
        rowsOf(9, (row) => (row === 7 ? cell : '1')),
      ),
      'weight',
    ).catch(String);

  test.each([
    ['0', 'the weight "0"'],
    ['-2', 'the weight "-2"'],
    ['much', 'the weight "much"'],
    ['Infinity', 'the weight "Infinity"'],
    [null, 'a missing weight'],
  ])('%s', async (cell, got) => {
    expect(await refusal(cell)).toContain(`x.csv, row 8, column "weight": got ${got}`);
  });

  test('a column that there is not', async () => {
    const raw = rawTable(
      columns,
      rowsOf(9, () => '1'),
    );
    await expect(readWeights(raw, 'wieght')).rejects.toThrow('Did you mean "weight"?');
  });
});

const weighed = { column: 'wght', rows: 12, repeated: 12, step: 20.4, notTaken: 0 };

test('how rows count is said in a sentence', () => {
  expect(weighedInWords({ ...weighed, repeated: 31, step: 1 })).toBe(
    '12 rows stand as 31 by "wght"; if these weights do not count rows, divide them by their mean',
  );
  expect(weighedInWords({ ...weighed, notTaken: 1 })).toBe(
    '12 rows stand as 12 by "wght": in steps of the mean weight, since they are no whole numbers or too many rows; 1 row of too small a weight is none',
  );
});
