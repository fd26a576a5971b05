import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { refusalOf } from '../../bit-files/reading.suite.js';
import { openTable } from '../open-table.js';
import { fixture, fixturePath, readTable, rowsOf, spools, SURVEY_COLUMNS, SURVEY_ROWS } from '../opening.suite.js';

it.each(['lz4', 'zstd', 'plain'])('what pandas writes as Feather (%s) has the cells that pandas had', async (codec) => {
  const read = await readTable(fixture(`${codec}.feather`));
  expect(read).toMatchObject({ format: 'arrow', hasHeader: true, notes: [], columns: SURVEY_COLUMNS });
  expect(read.rows).toEqual(SURVEY_ROWS);
});

const TYPES = [
  [12.5, '2020-01-31', '1970-01-01T00:00:00', '2020-09-13T12:26:40Z', '08:30:00', 1.5, 255, '18446744073709551615'],
  [null, null, null, null, null, null, null, null],
  [-0.05, '1969-12-31', '1969-12-31T23:59:59.999999999', '1970-01-01T00:00:00Z', '00:00:00', null, 0, 7],
];

it.each(['types.feather', 'stream.arrows'])(
  '%s gives decimals, dates, times and holes of every batch',
  async (name) => {
    const read = await readTable(fixture(name));
    expect(read.columns).toEqual(['price', 'day', 'at', 'zoned', 'clock', 'float', 'byte', 'huge']);
    expect(read.rows).toEqual(TYPES);
  },
);

it.each(['types.feather', 'stream.arrows'])('%s may be zipped, and come only once', async (name) => {
  const zipped = gzipSync(readFileSync(fixture(name)));
  expect((await readTable(zipped, { name: 'upload', chunkBytes: 100 })).rows).toEqual(TYPES);
  expect(spools()).toEqual([]);
});

it('a column of lists comes empty, with what its cells are', async () => {
  const table = await openTable(fixturePath('nested.feather'));
  const at = table.columns.indexOf('tags');
  expect(table.unreadable).toEqual(new Map([[at, 'values of the type List<Utf8>']]));
  for await (const { columns } of table.batches()) expect(columns[at]).toHaveLength(0);
  await table.close();
});

it('a damaged file is refused', async () => {
  for (const name of ['lz4.feather', 'zstd.feather']) {
    const whole = readFileSync(fixture(name));
    for (const damaged of [whole.subarray(0, -30), whole.subarray(0, 12)])
      expect(await refusalOf(readTable(damaged, { name }))).toMatchObject({
        code: 'format',
        got: expect.stringContaining('an Arrow file that does not hold') as unknown,
        where: name,
      });
  }
});

/** A message as a stream begins with it: of a schema, in few of the ways in which FlatBuffers may lay it out. */
function schemaOf({ isBigEndian, types }: { isBigEndian: boolean; types: readonly number[] }, isMarked = true): Buffer {
  const bytes = Buffer.alloc(512);
  let next = 4;
  // a list of places, and the table behind it
  const table = (fields: readonly number[]): number => {
    const places = next;
    const start = places + 4 + 2 * fields.length + (fields.length % 2 === 0 ? 0 : 2);
    bytes.writeUInt16LE(4 + 2 * fields.length, places);
    fields.forEach((_, i) => bytes.writeUInt16LE(4 + 4 * i, places + 4 + 2 * i));
    bytes.writeInt32LE(start - places, start);
    fields.forEach((value, i) => bytes.writeUInt32LE(value, start + 4 + 4 * i));
    next = start + 4 + 4 * fields.length;
    return start;
  };
  const pointTo = (place: number): void => void bytes.writeUInt32LE(next - place, place);
  const message = table([4, 1, 0]);
  bytes.writeUInt32LE(message, 0);
  pointTo(message + 12);
  // the table begins behind its list of places
  const schema = table([isBigEndian ? 1 : 0, 0]);
  bytes.writeUInt32LE(schema - (message + 12), message + 12);
  pointTo(schema + 8);
  bytes.writeUInt32LE(types.length, next);
  const list = next + 4;
  next = list + 4 * types.length;
  types.forEach((type, i) => {
    const field = table([0, 0, type]);
    bytes.writeUInt32LE(field - (list + 4 * i), list + 4 * i);
    pointTo(field + 4);
    bytes.writeUInt32LE(2, next);
    bytes.write(`c${i}`, next + 4);
    next += 8;
  });
  const head = Buffer.alloc(isMarked ? 8 : 4, 255);
  head.writeUInt32LE(bytes.length, isMarked ? 4 : 0);
  return Buffer.concat([head, bytes]);
}

it.each([true, false])('a file of big-endian numbers is refused (with a mark: %s)', async (isMarked) => {
  const bytes = schemaOf({ isBigEndian: true, types: [2] }, isMarked);
  expect(await refusalOf(readTable(bytes, { name: 'upload' }))).toMatchObject({
    code: 'format',
    got: 'an Arrow file whose numbers are big-endian',
    remedy: expect.stringContaining('ipc.open_stream("FILE")') as unknown,
  });
});

it.each(['unread.arrow', 'unread.arrows'])(
  '%s has columns of types that are not read, which are left out',
  async (name) => {
    const table = await openTable(fixturePath(name));
    const unread = Object.entries({
      views: 'ListView',
      runs: 'RunEndEncoded',
      many: 'LargeListView',
      inner: 'ListView',
      coded: 'RunEndEncoded',
    });
    const reasons = unread.map(
      ([column, type]) => [table.columns.indexOf(column), `values of the type ${type}`] as const,
    );
    const either = table.columns.indexOf('either');
    expect(table.unreadable).toEqual(new Map([...reasons, [either, 'values of the type Union<Int64 | Utf8>']]));
    const read = ['city', 'n', 'short', 'last', 'kind', 'yes'].map((column) => table.columns.indexOf(column));
    const long = 'Lund and more than a view has';
    for (let pass = 0; pass < 2; pass++) {
      const rows = (await rowsOf(table)).map((row) => read.map((column) => row[column]));
      expect(rows).toEqual([
        ['Kiel', 1, 'Kiel', 'Kiel', 'Kiel', true],
        [long, null, long, long, long, false],
        [null, 3, null, null, null, null],
        ['Kiel', 4, 'Kiel', 'Kiel', 'Kiel', true],
        ['Oslo', 5, 'Oslo', 'Oslo', 'Oslo', false],
      ]);
    }
    await table.close();
  },
);

it('a file that is cut off among such columns is refused', async () => {
  const whole = readFileSync(fixture('unread.arrows'));
  for (const bytes of [whole.subarray(0, -300), whole.subarray(0, 3000)])
    expect(await refusalOf(readTable(bytes, { name: 'upload' }))).toMatchObject({ code: 'format', where: 'upload' });
});

it('columns of unknown types are named, with the way to leave them out', async () => {
  const bytes = schemaOf({ isBigEndian: false, types: [2, 27, 5, 25] });
  expect(await refusalOf(readTable(bytes, { name: 'upload' }))).toMatchObject({
    code: 'format',
    got: 'columns of types that are not known here: "c1" (number 27)',
    remedy: expect.stringContaining('.drop_columns(["c1"])') as unknown,
  });
});

it('a stream of before Arrow 0.15, without marks in front of its messages, is read', async () => {
  const marked = readFileSync(fixture('stream.arrows'));
  const parts: Buffer[] = [];
  const mark = Buffer.alloc(4, 255);
  let from = 0;
  for (let at = marked.indexOf(mark); at >= 0; at = marked.indexOf(mark, at + 4)) {
    // a message begins at a multiple of 8
    const length = marked.readUInt32LE(at + 4);
    const isEnd = at + 8 === marked.length;
    // what is described begins with the place of its first table
    const isMessage = length > 0 && length % 8 === 0 && length < 4096 && marked.readUInt32LE(at + 8) < 64;
    if (at % 8 !== 0 || !(isEnd || isMessage)) continue;
    parts.push(marked.subarray(from, at));
    from = at + 4;
  }
  const plain = Buffer.concat([...parts, marked.subarray(from)]);
  expect(plain.length).toBeLessThan(marked.length);
  expect((await readTable(plain, { name: 'upload' })).rows).toEqual(TYPES);
});

it('texts that are not UTF-8 are refused with their column', async () => {
  const { tableFromArrays, tableToIPC } = await import('apache-arrow');
  const bytes = Buffer.from(tableToIPC(tableFromArrays({ city: ['Kiel', 'Lund', 'Bonn'] }), 'stream'));
  const at = bytes.indexOf('Lund');
  bytes[at + 1] = 0xfc;
  expect(await refusalOf(readTable(bytes, { name: 'upload' }))).toMatchObject({
    code: 'encoding',
    got: expect.stringContaining('L\u00fcnd') as unknown,
    where: 'upload, column "city"',
  });
});
