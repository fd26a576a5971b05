import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { npyFile, refusalOf } from '../../bit-files/reading.suite.js';
import { checkRefusal, type Facts } from '../../bit-files/refusals.suite.js';
import { fixture, fixturePath, readTable, spools } from '../opening.suite.js';

it.each<[string, unknown[][]]>([
  [
    'float64.npy',
    [
      [1, 2.5, NaN],
      [4, 5, 6],
    ],
  ],
  [
    'fortran.npy',
    [
      [1, 2.5, NaN],
      [4, 5, 6],
    ],
  ],
  ['int64.npy', [[1], [-2], [3]]],
  [
    'bool.npy',
    [
      [true, false],
      [false, true],
    ],
  ],
  [
    'images.npy',
    [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9, 10, 11],
    ],
  ],
  [
    'matrix.npz',
    [
      [1, 2.5, NaN],
      [4, 5, 6],
    ],
  ],
  [
    'csr.npz',
    [
      [0, 1, 0],
      [2, 0, 0.5],
      [0, 0, 0],
    ],
  ],
  [
    'csc.npz',
    [
      [0, 1, 0],
      [2, 0, 0.5],
      [0, 0, 0],
    ],
  ],
  [
    'coo.npz',
    [
      [0, 1, 0],
      [2, 0, 0.5],
      [0, 0, 0],
    ],
  ],
])('%s has the rows that NumPy or SciPy wrote', async (name, rows) => {
  const read = await readTable(fixture(name));
  expect(read).toMatchObject({ format: name.slice(-3), hasHeader: false });
  expect(read.columns).toEqual(rows[0]!.map((_, i) => `column ${i + 1}`));
  expect(read.rows).toEqual(rows);
  expect(read.notes.join(' ')).toContain('columns are called by number');
  // from a stream, zipped, under names of its own
  const names = rows[0]!.map((_, i) => `n${i}`);
  const again = await readTable(gzipSync(readFileSync(fixture(name))), { name: 'upload', chunkBytes: 50, names });
  expect([again.columns, again.rows]).toEqual([names, rows]);
  expect(spools()).toEqual([]);
});

it('columns of an .npz are called by their keys', async () => {
  const read = await readTable(fixture('columns.npz'));
  expect(read).toMatchObject({ columns: ['age', 'height', 'smoker'], hasHeader: true, notes: [] });
  expect(read.rows).toEqual([
    [31, 1.8, true],
    [45, NaN, false],
  ]);
});

it('images in the order of Fortran are the same rows', async () => {
  // 2 rows of 2 x 3: the value at (row, y, x) is 100 row + 10 y + x, the first index running fastest
  const values = [0, 1, 2].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((row) => 100 * row + 10 * y + x)));
  const read = await readTable(npyFile('|u1', '(2, 2, 3)', Uint8Array.from(values), true), { name: 'x.npy' });
  expect(read.rows).toEqual([
    [0, 1, 2, 10, 11, 12],
    [100, 101, 102, 110, 111, 112],
  ]);
});

it('whole numbers beyond 2^53 are their digits', async () => {
  const values = new Uint8Array(BigInt64Array.of(2n ** 53n + 1n, -5n).buffer);
  expect((await readTable(npyFile('<i8', '(2,)', values), { name: 'x.npy' })).rows).toEqual([
    ['9007199254740993'],
    [-5],
  ]);
});

const at = fixturePath;
it.each<[string, string | Uint8Array, Facts]>([
  ['text', 'strings.npy', ['format', 'values of type "<U1"', 'numbers', at('strings.npy'), 'to_parquet']],
  ['two arrays', 'two.npz', ['format', 'X (2, 3), y (2)', 'one array', at('two.npz'), 'X=X']],
  ['columns of other lengths', 'lengths.npz', ['format', 'a (2), b (3)', 'equal length', at('lengths.npz'), 'Save']],
  ['a diagonal matrix', 'dia.npz', ['format', 'the format "dia"', 'csr, csc or coo', at('dia.npz'), '.tocsr()']],
  ['too few values', npyFile('<f8', '(2, 2)', new Uint8Array(31)), ['truncated', '31 bytes', '32', 'upload', 'again']],
  ['no row', npyFile('<f8', '(0, 2)', new Uint8Array(0)), ['empty', 'the shape (0, 2)', 'one row', 'upload', 'array']],
  [
    'a header cut short',
    npyFile('<f8', '(2, 2)', new Uint8Array(0)).subarray(0, 30),
    ['truncated', '30 bytes', 'header', 'upload', 'anew'],
  ],
  [
    'too many columns',
    npyFile('<f8', '(1, 99999999999)', new Uint8Array(0)),
    ['truncated', '0 bytes', '799999999992', 'upload', 'again'],
  ],
  [
    'an archive cut short',
    readFileSync(fixture('two.npz')).subarray(0, 300),
    ['format', 'an archive that does not hold', 'npz', 'upload', 'again'],
  ],
])('refused: %s', async (_, content, facts) => {
  const source = typeof content === 'string' ? fixture(content) : content;
  checkRefusal(await refusalOf(readTable(source, { name: 'upload' })), facts);
  expect(spools()).toEqual([]);
});
