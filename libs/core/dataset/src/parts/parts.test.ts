import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DatasetError } from '../errors.js';
import { openRows, readMaskedFile } from '../reading/open-rows.js';
import { openRowFile } from '../reading/row-file.js';
import { fixturePath, rowsOf } from '../table-files/opening.suite.js';
import { openTable } from '../table-files/open-table.js';
import type { RawCell } from '../table-files/raw-table.js';
import type { TableFileOptions } from '../table-files/table-options.js';
import { globMatcher } from './glob.js';

function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'orchard-parts-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

async function cellsOf(path: string, options: TableFileOptions = {}): Promise<RawCell[][]> {
  const table = await openTable(path, options);
  try {
    return await rowsOf(table);
  } finally {
    await table.close();
  }
}

/** Where a refusal is, with the folder left out, and what it says. */
async function refusalOf(folder: string, reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(DatasetError);
  const { where, got, expected, remedy } = error as DatasetError;
  return `${where ?? ''}: ${got}; ${expected}; ${remedy}`.replaceAll(`${folder}/`, '');
}

describe('parts of a table', () => {
  const parts = {
    'b.csv': 'name,age\nAda,36\nBob,?\n',
    'a.csv': 'name,age\nEve,7',
    'c.csv': 'name,age\r\n"X, Y",50\r\n',
  };
  const rows = [
    ['Eve', '7'],
    ['Ada', '36'],
    ['Bob', null],
    ['X, Y', '50'],
  ];

  test('are read in the order of their names, from a folder and from a glob, without the names of each', async () => {
    const folder = folderOf(parts);
    expect(await cellsOf(folder)).toEqual(rows);
    expect(await cellsOf(join(folder, '[ab].csv'))).toEqual(rows.slice(0, 3));
    expect(await cellsOf(join(folder, '{a,c}.*'))).toEqual([rows[0], rows[3]]);
  });

  test('may be packed, empty or of names alone, and lie beside what writers leave there', async () => {
    const more = { 'aa.csv.gz': gzipSync('name,age\n'), 'ab.csv.gz': '', 'bb.csv': gzipSync('name,age\nZoe,3\n') };
    const folder = folderOf({ ...parts, ...more, _SUCCESS: '', '.a.csv.crc': 'x' });
    expect(await cellsOf(folder)).toEqual([...rows.slice(0, 3), ['Zoe', '3'], rows[3]]);
  });

  test('say how many they are, and in what order', async () => {
    const table = await openTable(folderOf(parts));
    expect(table.notes).toEqual(['3 files, one after another in the order of their names: a.csv to c.csv.']);
    await table.close();
  });

  test('below folders are found by **, and a folder of folders is refused with that advice', async () => {
    const folder = folderOf({ 'year=1/a.csv': parts['a.csv'], 'year=2/deep/b.csv': parts['b.csv'] });
    expect(await cellsOf(join(folder, '**', '*.csv'))).toEqual(rows.slice(0, 3));
    expect(await cellsOf(join(folder, 'year=*', '*.csv'))).toEqual(rows.slice(0, 1));
    expect(await refusalOf(folder, cellsOf(folder))).toContain('a folder of folders (year=1, year=2)');
  });

  test('are not the files of a run, which is refused as such', async () => {
    const folder = folderOf({ 'network.msgpack': 'x', 'summary.json': '{}', 'labels.json': '{}', 'report.html': '' });
    expect(await refusalOf(folder, cellsOf(folder))).toContain('the folder of a run; a file of rows');
  });

  test('without names keep every first row', async () => {
    const folder = folderOf({ 'a.csv': '1,2\n3,4\n', 'b.csv': '1,2\n5,6\n' });
    expect(await cellsOf(folder, { header: false })).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['1', '2'],
      ['5', '6'],
    ]);
  });

  test('of which one has other columns are refused, with the file and the column', async () => {
    const folder = folderOf({ ...parts, 'd.csv': 'name,years\nIda,1\n' });
    const refusal = await refusalOf(folder, cellsOf(folder));
    expect(refusal).toMatch(/^d\.csv: .*column 2 is "years"; those of a\.csv.*column 2 is "age"/);
    const narrow = folderOf({ 'a.csv': '1,2\n', 'b.csv': '1\n' });
    expect(await refusalOf(narrow, cellsOf(narrow, { header: false }))).toContain('b.csv: 1 columns');
  });

  test('say of what is wrong in them in which one and on which line', async () => {
    const folder = folderOf({ ...parts, 'ba.csv': 'name,age\n\nIda,1\nOtto,2,3\n' });
    expect(await refusalOf(folder, cellsOf(folder))).toMatch(
      /^ba\.csv, line 4: got? ?3 cells|^ba\.csv, line 4: 3 cells/,
    );
  });

  test('of several kinds, of several formats and of splits are refused', async () => {
    const kinds = folderOf({ ...parts, 'README.md': '#' });
    expect(await refusalOf(kinds, cellsOf(kinds))).toContain("Say which are meant: '*.csv'");
    const parquet = await readFile(fixturePath('snappy.parquet'));
    const formats = folderOf({ ...parts, 'd.csv': parquet });
    expect(await refusalOf(formats, cellsOf(formats))).toContain('d.csv: content that is parquet; csv, as in a.csv');
    const splits = folderOf({ 'train.csv': 'a\n1\n', 'test.csv': 'a\n1\n' });
    expect(await refusalOf(splits, cellsOf(splits))).toContain('given one by one');
    expect(await refusalOf(kinds, cellsOf(join(kinds, '*.tsv')))).toContain('no file that it matches');
  });

  test('of JSON lines and of Parquet are the rows of all, typed', async () => {
    const lines = folderOf({ 'a.jsonl': '{"a":1}\n', 'b.jsonl': '{"a":2,"b":"x"}\n' });
    expect(await cellsOf(lines)).toEqual([
      [1, null],
      [2, 'x'],
    ]);
    const parquet = await readFile(fixturePath('snappy.parquet'));
    const typed = folderOf({ 'a.parquet': parquet, 'b.parquet': parquet });
    const once = await cellsOf(fixturePath('snappy.parquet'));
    expect(await cellsOf(typed)).toEqual([...once, ...once]);
    const others = folderOf({ 'a.parquet': parquet, 'b.parquet': await readFile(fixturePath('types.parquet')) });
    expect(await refusalOf(others, cellsOf(others))).toMatch(/^b\.parquet: no /);
  });

  test('of 0 and 1 are the bits of one file', async () => {
    const bits = { 'a.csv': 'x,y\n0,1\n', 'b.csv': 'x,y\n1,1\n0,1\n' };
    const file = await openRowFile(folderOf(bits));
    const read = await openRows(file, { bits: {}, table: {} });
    expect(read.kind === 'bits' && [read.matrix.rows, read.matrix.names, read.matrix.columnCounts().join()]).toEqual([
      3,
      ['x', 'y'],
      '1,3',
    ]);
    await file.close();
    const gaps = await openRowFile(folderOf({ ...bits, 'c.csv': 'x,y\n?,1\n' }));
    const { values, known } = await readMaskedFile(gaps, {});
    expect([values.rows, known.get(3, 0), known.get(3, 1)]).toEqual([4, 0, 1]);
    await gaps.close();
  });

  test('are a table as a whole where one of them has more than 0 and 1', async () => {
    const file = await openRowFile(folderOf({ 'a.csv': 'x,y\n0,1\n', 'b.csv': 'x,y\n1,7\n' }));
    const read = await openRows(file, { bits: {}, table: {} });
    expect(read.kind === 'table' && (await rowsOf(read.table))).toEqual([
      ['0', '1'],
      ['1', '7'],
    ]);
    await file.close();
  });
});

test.each([
  ['a/*.csv', ['a/b.csv'], ['a/b/c.csv', 'a/.b.csv', 'a/b.tsv']],
  ['a/**/*.csv', ['a/b.csv', 'a/b/c.csv', 'a/b/c/d.csv'], ['b/a.csv']],
  ['a/**', ['a/b', 'a/b/c'], ['b']],
  ['part-?[0-3].{csv,tsv}', ['part-x1.csv', 'part-x1.tsv'], ['part-x4.csv', 'part-1.csv']],
  ['a+b(1).*', ['a+b(1).csv'], ['aab1.csv']],
])('the glob %s matches what shells do', (glob, those, others) => {
  const matches = globMatcher(glob);
  expect(those.filter(matches)).toEqual(those);
  expect(others.filter(matches)).toEqual([]);
});
