import { expect, test } from 'vitest';
import type { RawCell } from '../table-files/raw-table.js';
import { rawTable } from './columns.suite.js';
import { readTableSplits } from './read-splits.js';
import { rowsOfBits } from './rows-of-bits.js';

const rowsOf = (zero: RawCell, one: RawCell): RawCell[][] =>
  Array.from({ length: 40 }, (_, row) => [row % 3 === 0 ? one : zero, row % 4 < 2 ? one : zero]);
const splitsOf = (rows: readonly (readonly RawCell[])[]) =>
  readTableSplits({ train: rawTable(['a', 'b'], rows), valid: null, test: null }, { valid: 0.1, test: 0 }, 1, {});

test.each([
  ['0', '1'],
  ['0.0', '1.0'],
])('a table of %s and %s alone is rows of bits, with the names of its columns', async (zero, one) => {
  const splits = await splitsOf(rowsOf(zero, one));
  const bits = rowsOfBits(splits, false)!;
  expect(bits.train.names).toEqual(['a', 'b']);
  expect(bits.train.bytes).toEqual(splits.train.bytes);
  expect(bits.valid!.rows).toBe(4);
  expect(bits.test).toBeNull();
});

test.each([
  ['other labels', rowsOf('no', 'yes')],
  ['a hole', [[null, '1'], ...rowsOf('0', '1')]],
  ['a column of more values', rowsOf('0', '1').map((row, at) => [row[0]!, String(at % 3)])],
])('a table with %s stays a table', async (_, rows) => {
  expect(rowsOfBits(await splitsOf(rows), false)).toBeNull();
});
