import { expect, test } from 'vitest';
import { BitMatrix } from './bit-matrix.js';
import { attachRows, meanOverRows, shareRows } from './counted-rows.js';

test('rows are counted: those that differ in the order in which they came, and their ones', () => {
  const all = attachRows(shareRows(BitMatrix.fromRows(['0110', '0000', '0110', '1000'])));
  const { distinct, counts, rows, starts, columns } = all;
  expect([...counts]).toEqual([2, 1, 1]);
  expect(distinct.equals(BitMatrix.fromRows(['0110', '0000', '1000']))).toBe(true);
  expect([rows, [...starts], [...columns]]).toEqual([4, [0, 2, 2, 3], [1, 2, 0]]);
  expect(meanOverRows(Float64Array.of(1, 2, 4), all)).toBe(2);
});
