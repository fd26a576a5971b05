import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { refusalOf } from '../bit-files/reading.suite.js';
import { fixture, readTable } from './opening.suite.js';

const head = (bytes: string): Uint8Array => Buffer.from(bytes.padEnd(64, '\0'), 'latin1');

const text = (words: string): Uint8Array => Buffer.from(words);

it.each<[string, Uint8Array | URL, string]>([
  ['an Excel workbook', fixture('sheet.xlsx'), 'pd.read_excel'],
  ['a Python pickle, which may run code of strangers', fixture('pandas.pkl'), 'pd.read_pickle, if you trust it'],
  ['a Stata file', fixture('stata.dta'), 'pd.read_stata'],
  ['an old Excel workbook', head('\xd0\xcf\x11\xe0'), 'Save the sheet as CSV UTF-8'],
  ['a SAS file', head(`${'\0'.repeat(12)}\xc2\xea\x81\x60`), 'pd.read_sas'],
  ['an SPSS file', head('$FL2'), 'pd.read_spss'],
  ['an HDF5 file', head('\x89HDF'), 'pd.read_hdf'],
  ['an SQLite database', head('SQLite format 3\0'), 'sqlite3 -header -csv'],
  ['a file of R', head('X\n\0\0\0\x03'), 'write.csv'],
  ['xz', head('\xfd7zXZ'), 'Unpack it first'],
  ['lz4', head('\x04\x22\x4d\x18'), 'Unpack it first'],
  ['an Avro file', head('Obj\x01'), 'pl.read_avro(FILE)'],
  ['UTF-32', head('\xff\xfe\0\0a\0\0\0'), 'iconv -f UTF-32'],
  ['zstd', gzipSync(head('\x28\xb5\x2f\xfd')), 'Unpack it first'],
  ['a web page', head('<!DOCTYPE html>'), 'Download the file itself'],
  ['an HTML table', head('<table border="1" class="dataframe">\n'), 'pd.read_html'],
  ['an XML file', head('\xef\xbb\xbf<?xml version="1.0"?>\n'), 'pd.read_xml'],
  ['a table in Markdown', text('| a | b |\n|---|---|\n| 1 | x |\n'), "sed '/|/!d; "],
  ['a table in Markdown', text('# Rides\n\n| a   | b |\r\n| :-- | -: |\r\n| 1 | x |\r\n'), 'its line of dashes'],
  ['a table in Markdown', text('|a|\n|-|\n|1|\n'), 'its line of dashes'],
  ['a table in Markdown', text('a | b\n--- | :---:\n1 | x\n'), 'the bars at both ends'],
  ['a picture', head('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'numpy.save'],
  ['a picture', head('\xff\xd8\xff\xe0\0\x10JFIF'), 'numpy.save'],
  ['a picture', head('GIF89a'), 'numpy.save'],
  ['a program', head('\x7fELF\x02\x01\x01'), 'Check the path'],
  ['a model of Orchard, which has no rows', head('\x88\xa5magic\xaforchard network\xa7version'), 'Give a file of rows'],
  ['a PDF document', head('%PDF-1.4\n'), 'as CSV'],
  ['a Matrix Market file', head('%%MatrixMarket matrix coordinate real general\n'), 'scipy.io.mmread'],
  [
    'a pointer of Git LFS, which stands for the file',
    head('version https://git-lfs.github.com/spec/v1\n'),
    'git lfs pull',
  ],
])('%s is refused with a way out', async (kind, content, remedy) => {
  expect(await refusalOf(readTable(content, { name: 'upload' }))).toMatchObject({
    code: 'format',
    got: kind,
    remedy: expect.stringContaining(remedy) as unknown,
  });
});

it.each([
  ['sep=;\na;b\n1,5;x\n2,5;y\n', {}],
  ['\ufeffSEP=;\r\na;b\r\n1,5;x\r\n2,5;y\r\n', { name: 'x.csv' }],
  ['"sep=|"\na|b\n1,5|x\n2,5|y\n', {}],
  ['sep=\t\na\tb\n1,5\tx\n2,5\ty\n', {}],
  ['sep=,\na;b\n1,5;x\n2,5;y\n', { delimiter: ';' }],
])('a first line for spreadsheets says what stands between the cells: %j', async (words, options) => {
  const read = await readTable(words, { ...options, decimal: ',' });
  expect(read.columns).toEqual(['a', 'b']);
  expect(read.rows).toEqual([
    ['1.5', 'x'],
    ['2.5', 'y'],
  ]);
});

it('names of columns that begin as such a file does are names', async () => {
  for (const words of ['sep=x,b\n1,2\n', 'version,b\n1,2\n', 'sep,=\n1,2\n'])
    expect((await readTable(words)).columns).toHaveLength(2);
});

it('content of another format than asked for is refused', async () => {
  expect(await refusalOf(readTable(fixture('plain.parquet'), { format: 'csv' }))).toMatchObject({
    code: 'format',
    got: 'content that is parquet',
    expected: 'csv as asked',
  });
  expect(await refusalOf(readTable('a,b\n1,2\n', { format: 'parquet' }))).toMatchObject({
    got: 'text',
    expected: 'parquet as asked',
  });
  expect(await refusalOf(readTable(head('\x01\x02\x03'), { name: 'x.csv' }))).toMatchObject({
    code: 'format',
    got: expect.stringContaining('binary content') as unknown,
  });
});

it('other programs write CSV that is read without an option', async () => {
  const r = await readTable(fixture('r.csv'));
  expect(r.columns).toEqual(['Unnamed: 0', 'city', 'smoker', 'height']);
  expect(r.rows).toEqual([
    ['1', 'Kiel', 'yes', '1.82'],
    ['2', null, 'no', null],
    ['3', 'Lund, S', 'yes', '1.7'],
  ]);
  const excel = await readTable(fixture('excel.csv'), { decimal: ',' });
  expect(excel.columns).toEqual(['Stadt', 'Größe', 'Raucher']);
  expect(excel.rows).toEqual([
    ['Kiel', '1.82', 'ja'],
    ['Lund; S', '1.7', 'nein'],
  ]);
  const pandas = await readTable(fixture('pandas.csv'));
  expect(pandas.columns.slice(0, 4)).toEqual(['Unnamed: 0', 'city', 'smoker', 'children']);
  expect(pandas.rows[2]!.slice(0, 4)).toEqual(['2', null, 'True', null]);
});

it('cells between bars are cells, and dashes among them holes or labels', async () => {
  for (const words of ['a|b\n-|-\n1|2\n', 'a|b\n---|2\n1|---\n', '|a|b|\n|-|2|\n|1|2|\n'])
    expect((await readTable(words)).columns).toEqual(expect.arrayContaining(['a', 'b']));
});
