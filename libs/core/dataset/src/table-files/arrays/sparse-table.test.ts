import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { npyFile, refusalOf } from '../../bit-files/reading.suite.js';
import { spools } from '../opening.suite.js';
import type { RawTable } from '../raw-table.js';
import { openRowFile } from '../../reading/row-file.js';
import { checkTableOptions } from '../table-options.js';
import { openSparse } from './sparse-table.js';

const folder = mkdtempSync(join(tmpdir(), 'sparse-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A matrix as scipy.sparse.save_npz keeps it, array by array. */
async function open(
  format: string,
  [rows, width]: readonly [number, number],
  arrays: Readonly<Record<string, Int32Array | Uint8Array>>,
): Promise<RawTable> {
  const paths = new Map<string, string>();
  const keep = (key: string, bytes: Uint8Array): void => {
    paths.set(key, join(folder, key));
    writeFileSync(join(folder, key), bytes);
  };
  keep('format', npyFile('|S3', '()', Buffer.from(format)));
  const whole = { ...arrays, shape: Int32Array.of(rows, width) };
  for (const [key, values] of Object.entries(whole))
    keep(
      key,
      npyFile(
        values instanceof Uint8Array ? '|u1' : '<i4',
        `(${String(values.length)},)`,
        new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
      ),
    );
  return openSparse(await openRowFile(join(folder, 'format')), checkTableOptions('x.npz', {}), paths);
}

async function sumsOf(table: RawTable): Promise<{ rows: number[]; columns: number[] }> {
  const sums = { rows: [] as number[], columns: table.columns.map(() => 0) };
  try {
    for await (const { rows, columns } of table.batches()) {
      const first = sums.rows.length;
      for (let row = 0; row < rows; row++) sums.rows.push(0);
      columns.forEach((cells, column) => {
        for (let row = 0; row < rows; row++) {
          sums.rows[first + row]! += cells.at(row) as number;
          sums.columns[column]! += cells.at(row) as number;
        }
      });
    }
  } finally {
    await table.close();
  }
  return sums;
}

describe('entries that do not lie by rows', () => {
  const [rows, width, entries] = [2500, 1000, 2 ** 21 + 90_000];
  // every row has entries, far apart in the file
  const row = Int32Array.from({ length: entries }, (_, i) => (i * 1009) % rows);
  const column = Int32Array.from({ length: entries }, (_, i) => Math.floor(i / rows));
  const data = Uint8Array.from({ length: entries }, (_, i) => 1 + (i % 200));
  const expected = { rows: new Array<number>(rows).fill(0), columns: new Array<number>(width).fill(0) };
  for (let i = 0; i < entries; i++) {
    expected.rows[row[i]!]! += data[i]!;
    expected.columns[column[i]!]! += data[i]!;
  }

  it('are sorted on the disk, more of them than are in memory at a time', async () => {
    expect(await sumsOf(await open('coo', [rows, width], { row, col: column, data }))).toEqual(expected);
    expect(spools()).toEqual([]);
  });

  it('of columns too', async () => {
    const indptr = Int32Array.from({ length: width + 1 }, (_, i) => Math.min(entries, i * rows));
    expect(await sumsOf(await open('csc', [rows, width], { indptr, indices: row, data }))).toEqual(expected);
  });
});

it('what stands twice is added, and rows may have nothing', async () => {
  const arrays = { row: Int32Array.of(2, 0, 2), col: Int32Array.of(1, 0, 1), data: Uint8Array.of(3, 4, 5) };
  expect(await sumsOf(await open('coo', [4, 2], arrays))).toEqual({ rows: [4, 0, 8, 0], columns: [4, 8] });
});

const csr = { indptr: Int32Array.of(0, 1, 2), indices: Int32Array.of(0, 1), data: Uint8Array.of(1, 1) };
const coo = { row: Int32Array.of(0, 1), col: Int32Array.of(0, 1), data: Uint8Array.of(1, 1) };
it.each<[string, string, Parameters<typeof open>[2], string]>([
  ['an index beyond the columns', 'csr', { ...csr, indices: Int32Array.of(0, 2) }, 'an index beyond the shape'],
  ['an index below 0', 'csr', { ...csr, indices: Int32Array.of(0, -1) }, 'an index beyond the shape'],
  ['starts that fall', 'csr', { ...csr, indptr: Int32Array.of(0, 2, 1) }, 'an indptr that does not fit'],
  ['starts beyond the entries', 'csr', { ...csr, indptr: Int32Array.of(0, 1, 3) }, 'an indptr that does not fit'],
  ['too few starts', 'csr', { ...csr, indptr: Int32Array.of(0, 2) }, 'an indptr of 2 numbers'],
  ['too few indices', 'csr', { ...csr, indices: Int32Array.of(0) }, '1 indices'],
  ['a row beyond the rows', 'coo', { ...coo, row: Int32Array.of(0, 2) }, 'a row beyond the shape'],
  ['a column beyond the columns', 'coo', { ...coo, col: Int32Array.of(0, 9) }, 'an index beyond the shape'],
  ['an index beyond the rows', 'csc', { ...csr, indices: Int32Array.of(0, 5) }, 'an index beyond the shape'],
])('%s is refused', async (_what, format, arrays, got) => {
  const refusal = await refusalOf(async () => sumsOf(await open(format, [2, 2], arrays)));
  expect(refusal).toMatchObject({ code: 'format', got, where: expect.stringMatching(/x\.npz|format/) as string });
});

it('rows that a few bytes promise are refused', async () => {
  const refusal = await refusalOf(open('coo', [2 ** 31 - 1, 2], coo));
  expect(refusal).toMatchObject({ code: 'limit', remedy: expect.stringContaining('tocsr') as string });
});
