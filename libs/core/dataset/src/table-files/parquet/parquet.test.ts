import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parquetMetadata } from 'hyparquet';
import { refusalOf, sourceOf } from '../../bit-files/reading.suite.js';
import { checkRefusal } from '../../bit-files/refusals.suite.js';
import { openTable } from '../open-table.js';
import { correctCompression } from './parquet-pages.js';
import { fixture, fixturePath, readTable, spools, SURVEY_COLUMNS, SURVEY_ROWS } from '../opening.suite.js';

it.each(['snappy', 'zstd'])('what pandas writes (%s) has the cells that pandas had', async (codec) => {
  const read = await readTable(fixture(`${codec}.parquet`));
  expect(read).toMatchObject({ format: 'parquet', hasHeader: true, notes: [], columns: SURVEY_COLUMNS });
  expect(read.rows).toEqual(SURVEY_ROWS);
});

it('decimals, dates, times, unsigned numbers and holes come from every row group', async () => {
  const read = await readTable(fixture('types.parquet'));
  expect(read.columns).toEqual(['price', 'day', 'at', 'zoned', 'clock', 'float', 'byte', 'huge']);
  expect(read.rows).toEqual([
    [12.5, '2020-01-31', '1970-01-01T00:00:00', '2020-09-13T12:26:40Z', '08:30:00', 1.5, 255, '18446744073709551615'],
    [null, null, null, null, null, null, null, null],
    [-0.05, '1969-12-31', '1969-12-31T23:59:59.999999999', '1970-01-01T00:00:00Z', '00:00:00', null, 0, 7],
  ]);
});

it('is read without dictionaries and compression, zipped as a whole, and under other names', async () => {
  const rows = [
    [255, 12.5],
    [NaN, NaN],
    [0, -0.05],
  ];
  expect((await readTable(fixture('plain.parquet'))).rows).toEqual(rows);
  const zipped = gzipSync(readFileSync(fixture('plain.parquet')));
  expect(await readTable(zipped, { names: ['a', 'b'] })).toMatchObject({ rows, columns: ['a', 'b'] });
  expect(spools()).toEqual([]);
});

/** The table of many pages that `fixtures/make.py` writes. */
const MANY = Array.from({ length: 4000 }, (_, i) => [
  i % 11 === 3 ? null : 'abc'[(i * i) % 3],
  i % 7 === 2 ? null : `text ${String((i * 31) % 3989)}`,
  (i * i) % 1009,
  i % 5 === 4 ? null : ((i * 37) % 997) / 8,
  i % 13 === 6 ? null : i % 3 === 0,
  null,
  7,
]);
/** NaN is a hole of numbers. */
const cells = (rows: readonly unknown[][]): unknown[][] =>
  rows.map((row) => row.map((cell) => (Number.isNaN(cell) ? null : cell)));

it.each(['pages-1.parquet', 'pages-2.parquet'])('%s is read page by page', async (name) => {
  const read = await readTable(fixture(name));
  expect(read.columns).toEqual(['label', 'text', 'whole', 'real', 'ok', 'none', 'same']);
  expect(cells(read.rows)).toEqual(MANY);
});

it('the first rows are there before the rest of their row group is looked at', async () => {
  const bytes = readFileSync(fixture('pages-1.parquet'));
  // the last pages of the first column in the first row group, which ends where the second column begins
  const { row_groups } = parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const end = Number(row_groups[0]!.columns[1]!.meta_data!.dictionary_page_offset);
  const table = await openTable(sourceOf(Buffer.from(bytes).fill(255, end - 40, end), 'x.parquet'));
  let rows = 0;
  const count = async (): Promise<void> => {
    for await (const batch of table.batches()) rows += batch.rows;
  };
  expect(await refusalOf(count)).toMatchObject({ code: 'format', where: 'x.parquet' });
  expect(rows).toBe(2048);
  await table.close();
});

it('columns that are not needed are not read', async () => {
  const table = await openTable(fixturePath('pages-1.parquet'));
  for await (const { columns } of table.batches(new Set([2])))
    expect(columns.map(({ length }) => length > 0)).toEqual([false, false, true, false, false, false, false]);
  await table.close();
});

it.each(['whole.parquet', 'whole.feather', 'whole.npz'])('%s says which columns are of fractions', async (name) => {
  const table = await openTable(fixturePath(name));
  expect([table.columns, [...table.fractions!]]).toEqual([
    ['fractions', 'flag', 'whole'],
    [0, 1],
  ]);
  await table.close();
});

it('comes without the cells of a column of lists, with what they are', async () => {
  const table = await openTable(fixturePath('nested.parquet'));
  const at = table.columns.indexOf('tags');
  expect(table.unreadable).toEqual(new Map([[at, 'lists or records']]));
  for await (const { columns } of table.batches()) expect(columns[at]).toHaveLength(0);
  await table.close();
});

it('is refused where it is damaged', async () => {
  const whole = readFileSync(fixture('snappy.parquet'));
  for (const damaged of [whole.subarray(0, -20), whole.subarray(0, 8), Buffer.from(whole).fill(255, 4, 300)])
    expect(await refusalOf(readTable(damaged, { name: 'x.parquet' }))).toMatchObject({
      code: 'format',
      got: expect.stringContaining('a Parquet file that does not hold') as unknown,
      where: 'x.parquet',
    });
});

it('holds no more of all columns together than it may, however small their pages', async () => {
  // 4,000 values at eight bytes of each of seven columns, in pages of some hundred
  const whole = readFileSync(fixture('pages-1.parquet'));
  const most = 20_000;
  checkRefusal(await refusalOf(readTable(whole, { name: 'x.parquet', maxUnpackedBytes: most })), [
    'limit',
    `more than ${String(most)} bytes`,
    'of all columns together',
    'x.parquet, column "text"',
    'row_group_size',
  ]);
  expect(cells((await readTable(whole, { name: 'x.parquet', maxUnpackedBytes: 200_000 })).rows)).toEqual(MANY);
});

describe('a file as other writers have it', () => {
  const column = (name: string, extra = {}) => ({
    name,
    type: 'BYTE_ARRAY' as const,
    repetition_type: 'OPTIONAL' as const,
    ...extra,
  });
  const bytesOf = (texts: readonly string[]): Uint8Array[] => texts.map((text) => Buffer.from(text, 'latin1'));

  it.each([
    ['texts', { converted_type: 'UTF8' as const }, ['K\xf6ln', 'K\xf8ln', 'Bonn']],
    ['bytes', {}, ['K\xf6ln', 'K\xf8ln', 'Bonn']],
    ['texts that repeat', { converted_type: 'UTF8' as const }, ['K\xf6ln', 'Bonn', 'K\xf6ln', 'Bonn', 'Bonn', 'Bonn']],
  ])(
    'with %s that are not UTF-8 is refused with the column, not read with two words as one',
    async (_, extra, texts) => {
      // what the writer takes for texts it would write as UTF-8
      const { ParquetWriter, ByteWriter } = await import('hyparquet-writer');
      const writer = new ByteWriter();
      const schema = [{ name: 'root', num_children: 1 }, column('city')];
      const file = new ParquetWriter({ writer, schema, statistics: false });
      file.write({ columnData: [{ name: 'city', data: bytesOf(texts) }] });
      Object.assign(file.schema[1]!, extra);
      file.finish();
      const error = await refusalOf(readTable(new Uint8Array(writer.getBuffer()), { name: 'x.parquet' }));
      checkRefusal(error, ['encoding', 'K\u00f6ln', 'UTF-8', 'x.parquet, column "city"', 'Write the column as UTF-8']);
    },
  );

  it('with two columns of one name has both, beside lists, and it is said', async () => {
    const { parquetWriteBuffer } = await import('hyparquet-writer');
    const number = (name: string) => ({ name, type: 'DOUBLE' as const, repetition_type: 'OPTIONAL' as const });
    const file = parquetWriteBuffer({
      columnData: [
        { name: 'a', data: [1, 2] },
        { name: 'b', data: [3, 4] },
        { name: 'a', data: [5, 6] },
      ],
      schema: [{ name: 'root', num_children: 3 }, number('a'), number('b'), number('a')],
    });
    const { columns, rows, notes } = await readTable(new Uint8Array(file), { name: 'x.parquet' });
    expect(columns).toEqual(['a', 'b', 'a.1']);
    expect(rows).toEqual([
      [1, 3, 5],
      [2, 4, 6],
    ]);
    expect(notes.join(' ')).toContain('"a.1"');
  });

  it('with a number of rows that is not that of its groups has the rows of its groups', async () => {
    const { ParquetWriter, ByteWriter } = await import('hyparquet-writer');
    const writer = new ByteWriter();
    const schema = [
      { name: 'root', num_children: 1 },
      { name: 'n', type: 'DOUBLE' as const },
    ];
    const file = new ParquetWriter({ writer, schema });
    file.write({ columnData: [{ name: 'n', data: [1, 2, 3] }] });
    file.num_rows = 0n;
    file.finish();
    const { rows } = await readTable(new Uint8Array(writer.getBuffer()), { name: 'x.parquet' });
    expect(rows).toEqual([[1], [2], [3]]);
  });
});

describe('a page of version 2', () => {
  const pageOf = (compressed: number, uncompressed: number, said: boolean): { isCompressed: boolean | undefined } => {
    const head = { repetition_levels_byte_length: 0, definition_levels_byte_length: 4, is_compressed: said };
    const page = { compressed_page_size: compressed, uncompressed_page_size: uncompressed, data_page_header_v2: head };
    correctCompression(page as unknown as Parameters<typeof correctCompression>[0]);
    return { isCompressed: head.is_compressed };
  };

  it.each([
    ['compressed as it says', 20, 90, true, true],
    ['plain as it says', 90, 90, false, false],
    ['compressed though it says that it is plain, as parquet-cpp before 3.0 wrote', 20, 90, false, true],
    ['compressed without getting smaller', 90, 90, true, true],
    ['without values', 4, 4, true, false],
  ])('is %s', (_, compressed, uncompressed, said, is) => {
    expect(pageOf(compressed, uncompressed, said)).toEqual({ isCompressed: is });
  });
});
