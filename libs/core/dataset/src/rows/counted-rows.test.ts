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

test('equal rows are found among thousands, of any width: every row is told which it is', () => {
  for (const dimensions of [1, 9, 64, 130]) {
    const matrix = BitMatrix.create(3000, dimensions);
    // the digits of squares modulo a prime: hundreds of values that come again, some of equal places in a table
    for (let row = 0; row < 3000; row++)
      for (let dim = 0; dim < dimensions; dim++) matrix.set(row, dim, (((row * row) % 1009) & (1 << (dim % 10))) !== 0);
    const { distinct, counts, places } = shareRows(matrix);
    const texts = Array.from({ length: 3000 }, (_, row) => textOf(matrix, row));
    const first = [...new Set(texts)];
    const differing = BitMatrix.from(distinct);
    expect(first.length).toBeGreaterThan(1);
    expect(Array.from({ length: differing.rows }, (_, row) => textOf(differing, row))).toEqual(first);
    expect([...new Uint32Array(places)]).toEqual(texts.map((text) => first.indexOf(text)));
    expect([...new Float64Array(counts)]).toEqual(first.map((text) => texts.filter((other) => other === text).length));
  }
});

function textOf(matrix: BitMatrix, row: number): string {
  return Array.from({ length: matrix.dimensions }, (_, dim) => matrix.get(row, dim)).join('');
}
