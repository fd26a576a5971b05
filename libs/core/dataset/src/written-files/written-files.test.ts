import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTable } from '../table-files/open-table.js';
import type { RawCell } from '../table-files/raw-table.js';
import { rawTable, tableOfAll } from '../table/columns.suite.js';
import { ColumnTyping } from './column-typing.js';
import type { TypedColumn, TypedValues } from './typed-column.js';
import { arrowPieces } from './write-arrow.js';
import { jsonPieces } from './write-json.js';
import { parquetPieces } from './write-parquet.js';

const folder = mkdtempSync(join(tmpdir(), 'orchard-written-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = [
  'count',
  'size',
  'kind',
  'ok',
  'day',
  'moment',
  'at',
  'zone',
  'grade',
  'price',
  'ride',
  'fine',
  'micro',
  'nano',
];
const rows = Array.from({ length: 90 }, (_, row): (string | null)[] => [
  String(row * row),
  row % 7 === 0 ? null : (row / 8).toFixed(3),
  ['fir', 'oak', 'Käse, "x"'][row % 3]!,
  row % 2 === 0 ? 'True' : 'False',
  new Date((19_000 - 400 * row) * 86_400_000).toISOString().slice(0, 10),
  `2024-01-${String(1 + (row % 28)).padStart(2, '0')} 10:00:${String(row % 60).padStart(2, '0')}`,
  `${String(row % 24).padStart(2, '0')}:30`,
  `2024-01-${String(1 + (row % 28)).padStart(2, '0')}T10:00:00Z`,
  ['1', '2', '3', null][row % 4]!,
  `$${String(row)}.50`,
  row % 9 === 0 ? null : `${String(row % 3)} days 00:${String(row % 60).padStart(2, '0')}:30.${String(row % 4)}`,
  `-1 days +23:59:59.${String(100_000_001 + 7 * row)}`,
  `2024-01-${String(1 + (row % 28)).padStart(2, '0')} 23:59:59.${String(999_999 - row)}`,
  `2024-01-${String(1 + (row % 28)).padStart(2, '0')} 23:59:59.${String(999_999_999 - row)}Z`,
]);
const table = await tableOfAll(rawTable(names, rows), { types: { grade: 'categorical' } });
const columns = table.variables.map((variable): TypedColumn => {
  const place = names.indexOf(variable.name);
  return columnBy(
    new ColumnTyping({ variable }),
    variable.name,
    rows.map((row) => row[place]!),
  );
});

function columnBy(typing: ColumnTyping, name: string, texts: readonly (string | null)[]): TypedColumn {
  typing.add(texts);
  const { valueOf, ...head } = typing.form();
  return { name, ...head, values: texts.map((text) => (text === null ? null : valueOf(text))) };
}

/** What a reader finds, row by row. */
async function readBack(bytes: Uint8Array, name: string): Promise<{ columns: readonly string[]; cells: RawCell[][] }> {
  writeFileSync(join(folder, name), bytes);
  const raw = await openTable(join(folder, name));
  const cells: RawCell[][] = [];
  for await (const batch of raw.batches())
    for (let row = 0; row < batch.rows; row++) cells.push(batch.columns.map((column) => column.at(row) ?? null));
  await raw.close();
  return { columns: raw.columns, cells };
}

it('keeps a moment without a zone such, one of UTC as one of UTC, and all digits of a second', () => {
  expect(columns.flatMap(({ name, moments }) => (moments === undefined ? [] : [[name, moments]]))).toEqual([
    ['moment', { digits: 3, isUtc: false }],
    ['zone', { digits: 3, isUtc: true }],
    ['micro', { digits: 6, isUtc: false }],
    ['nano', { digits: 9, isUtc: true }],
  ]);
  const nano = columns.find(({ name }) => name === 'nano')!;
  expect(nano.values[1]).toBe(BigInt(Date.parse('2024-01-02T23:59:59Z')) * 1_000_000n + 999_999_998n);
});

it('gives each column the type of its values', () => {
  expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual({
    ...{ count: 'whole', size: 'number', kind: 'text', ok: 'boolean', day: 'day', moment: 'moment' },
    ...{ at: 'text', zone: 'moment', micro: 'moment', nano: 'moment', grade: 'whole', price: 'number' },
    ...{ ride: 'microseconds', fine: 'nanoseconds' },
  });
  expect(columnBy(new ColumnTyping({}), 'a', ['1', null, '2.5'])).toEqual({
    name: 'a',
    type: 'number',
    values: [1, null, 2.5],
  });
  expect(columnBy(new ColumnTyping({}), 'a', [null]).type).toBe('text');
});

it('infinite numbers are texts in JSON, which has none', async () => {
  const column: TypedColumn = { name: 'x', type: 'number', values: [1.5, Infinity, null, -Infinity] };
  const pieces: Uint8Array[] = [];
  for await (const piece of jsonPieces([column], [[column.values]], true)) pieces.push(piece);
  const read = JSON.parse(Buffer.concat(pieces).toString()) as unknown;
  expect(read).toEqual([{ x: 1.5 }, { x: 'Infinity' }, { x: null }, { x: '-Infinity' }]);
});

describe.each([
  ['Parquet', 'x.parquet', parquetPieces],
  ['Arrow', 'x.arrow', arrowPieces],
] as const)('rows written as %s', (_, name, pieces) => {
  const write = async (all: readonly TypedColumn[], ...batches: (readonly TypedValues[])[]): Promise<Uint8Array> => {
    const written: Uint8Array[] = [];
    for await (const piece of pieces(all, batches.length > 0 ? batches : [all.map(({ values }) => values)]))
      written.push(piece);
    return Buffer.concat(written);
  };

  it('are read back as they were, missing values too, and become the same table', async () => {
    const bytes = await write(columns);
    expect(Buffer.from(await write(columns)).equals(Buffer.from(bytes))).toBe(true);
    const back = await readBack(bytes, name);
    expect(back.columns).toEqual(names);
    back.cells.forEach((cells, row) => {
      const wanted = rows[row]!;
      const text = (at: number): string => String(cells[at]);
      expect([Number(cells[0]), cells[1] === null || Number.isNaN(cells[1]) ? null : Number(cells[1])]).toEqual([
        Number(wanted[0]),
        wanted[1] === null ? null : Number(wanted[1]),
      ]);
      expect([cells[2], cells[3], text(4), text(5).replace('T', ' ')]).toEqual([
        ...[wanted[2], wanted[3] === 'True', wanted[4], wanted[5]],
      ]);
      expect([text(12).replace('T', ' '), text(13).replace('T', ' ')]).toEqual([wanted[12], wanted[13]]);
      expect([cells[6], cells[7], Number(cells[9])]).toEqual([wanted[6], wanted[7], row + 0.5]);
      // only zeros at the end are gone
      const short = (cell: string): string => cell.replace(/\.0+$|(?<=\.\d*[1-9])0+$/, '');
      expect([cells[10] === null ? null : short(text(10)), cells[11]]).toEqual([
        ...[wanted[10] === null ? null : short(wanted[10]!), wanted[11]],
      ]);
    });
  });

  it('may be no rows', async () => {
    const bytes = await write(columns.map((column) => ({ ...column, values: [] })));
    expect(bytes.length).toBeGreaterThan(50);
  });

  it('are the same file whatever batches they came in', async () => {
    const batches = [0, 1, 13, 60, 90].flatMap((end, at, ends) =>
      at === 0 ? [] : [columns.map(({ values }) => values.slice(ends[at - 1], end))],
    );
    expect(Buffer.from(await write(columns, ...batches)).equals(Buffer.from(await write(columns)))).toBe(true);
  });

  it('come in groups where they are many, all of them, and columns with numbers for names stay in their place', async () => {
    const count = 130_000;
    const many: TypedColumn[] = [
      {
        name: 'kind',
        type: 'text',
        values: Array.from({ length: count }, (_, row) => (row % 5 === 0 ? null : `k${String(row % 7)}`)),
      },
      { name: '2005', type: 'whole', values: Array.from({ length: count }, (_, row) => BigInt(row)) },
    ];
    const back = await readBack(await write(many), name);
    expect(back.columns).toEqual(['kind', '2005']);
    expect(back.cells.map(([kind]) => kind)).toEqual(many[0]!.values);
    expect(back.cells.every(([, row], at) => Number(row) === at)).toBe(true);
  });
});

describe('the type of a column whose texts come batch by batch', () => {
  const texts = (count: number): string[] => Array.from({ length: count }, (_, row) => (row + 0.5).toFixed(1));

  /** @param most numbers that are held */
  function formed(batches: readonly (readonly string[])[], most: number): { type: string; passes: number } {
    const typing = new ColumnTyping({}, most);
    for (const batch of batches) typing.add(batch);
    const { passes } = typing;
    for (let pass = 0; pass < passes; pass++) for (const batch of batches) typing.look(batch, pass);
    return { type: typing.form().type, passes };
  }

  it('is that of numbers, and of names where two texts are one number, however few numbers are held', () => {
    const all = texts(300);
    expect(formed([all], Infinity)).toEqual({ type: 'number', passes: 0 });
    expect(formed([all.slice(0, 100), all.slice(100)], 32)).toEqual({ type: 'number', passes: 10 });
    for (const other of ['0.50', '150.50', '299.500'])
      expect([formed([all, [other]], Infinity).type, formed([all, [other]], 32).type]).toEqual(['text', 'text']);
  });

  it('is one that keeps all digits: of whole numbers in 64 bits, and of texts beyond', () => {
    expect(formed([['1', '487713463360004474']], 4).type).toBe('whole');
    expect(formed([['-9223372036854775808', '9223372036854775807']], 4).type).toBe('whole');
    expect(formed([['1', '9223372036854775809']], 4).type).toBe('text');
    expect(formed([['0.5', '0.95099880673145809']], 4).type).toBe('number');
    expect(formed([['0.5', '487713463360004474']], 4).type).toBe('text');
  });

  it('is that of its file, with all digits and infinite numbers', () => {
    const formOf = (...cells: string[]): TypedColumn =>
      columnBy(new ColumnTyping({ inFile: { kind: 'numbers', hasFractions: false } }), 'x', cells);
    expect(formOf('9223372036854775807', '-5')).toMatchObject({ type: 'whole', values: [2n ** 63n - 1n, -5n] });
    expect(formOf('9223372036854775809')).toMatchObject({ type: 'text', values: ['9223372036854775809'] });
    expect(formOf('1.5', 'Infinity', '-Infinity')).toMatchObject({
      type: 'number',
      values: [1.5, Infinity, -Infinity],
    });
  });

  it('is decided by the last batch too', () => {
    expect(formed([['1', '2'], ['3.5']], 4).type).toBe('number');
    expect(formed([['1', '2'], ['x']], 4).type).toBe('text');
    expect(formed([['True'], ['False']], 4).type).toBe('boolean');
    expect(formed([['True'], ['1']], 4).type).toBe('text');
  });
});
