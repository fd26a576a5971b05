import type { Table } from '@orchard/contracts';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { sourceOf } from '../bit-files/reading.suite.js';
import { openTable } from '../table-files/open-table.js';
import { fixturePath, readTable } from '../table-files/opening.suite.js';
import type { RawTable } from '../table-files/raw-table.js';
import { countRows, encodeTable } from './encode-table.js';
import { profileTable, tableOf, type TableOptions } from './infer-table.js';
import { csvPieces, OTHER, valuesOf, wordsOf, type Texts } from './write-table.js';

const csvOf = (texts: Texts, table: Table): string => [...csvPieces([texts], table)].join('');

interface Learnt {
  readonly raw: RawTable;
  readonly table: Table;
  readonly matrix: BitMatrix;
}

async function opened(text: string): Promise<RawTable> {
  const raw = await openTable(sourceOf(text));
  onTestFinished(() => raw.close());
  return raw;
}

async function learnt(text: string, options: TableOptions = {}): Promise<Learnt> {
  const raw = await opened(text);
  const table = await tableOf(raw, await profileTable(raw, options), null, options);
  const [all] = await encodeTable(raw, table, [await countRows(raw)]);
  return { raw, table, matrix: all!.matrix };
}

/** What a variable is, its counts and cells apart. */
const formsOf = ({ variables }: Table): unknown[] =>
  variables.map((variable) => [
    variable.name,
    variable.kind,
    variable.holes > 0,
    variable.kind === 'ordered' ? variable.format : [...variable.labels].sort(),
  ]);

/** Writes the rows, reads them again, and expects the same codes, columns and formats. @returns what was written */
async function thereAndBack({ raw, table, matrix }: Learnt): Promise<string> {
  const text = csvOf(valuesOf(matrix, table, 5), table);
  const again = await opened(text);
  const left = new Set(table.leftOut.filter(({ countsFrom }) => countsFrom === undefined).map(({ name }) => name));
  expect(again.columns).toEqual(raw.columns.filter((name) => !left.has(name)));
  const [encoded] = await encodeTable(again, table, [matrix.rows]);
  expect(Buffer.compare(encoded!.matrix.bytes, matrix.bytes)).toBe(0);
  const inferred = await tableOf(again, await profileTable(again, {}), null, {});
  expect(formsOf(inferred)).toEqual(formsOf(table));
  return text;
}

const csv = (header: string, rows: readonly (readonly string[])[]): string =>
  `${header}\n${rows.map((row) => row.join(',')).join('\n')}\n`;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** 5,000 rows with a column of each sort, drawn anew for every seed. */
function randomTable(seed: number): string {
  const stream = new RandomStream(seed, 1008);
  const pick = <T>(list: readonly T[]): T => list[stream.below(list.length)]!;
  const hole = (often: number, text: () => string): string => (stream.below(often) === 0 ? '' : text());
  const day = (): string => new Date(86_400_000 * (stream.below(20_000) - 3000)).toISOString().slice(0, 10);
  const two = (below: number): string => String(stream.below(below)).padStart(2, '0');
  const ofDay = new RandomStream(seed, 1013);
  const time = (): string => new Date(1000 * ofDay.below(86_400)).toISOString().slice(11, 19);
  const zone = pick(['', 'Z', '+01:00', '-0530']);
  const separator = pick(['T', ' ']);
  const digits = pick([1, 3, 6]);
  const labels = ['a, b', 'say "no"', 'two\nlines', ' led by a space', 'é 🌲', "it's", 'plain', '(other)', '-', '=1+1'];
  const decimals = 1 + stream.below(5);
  const offset = stream.below(1000);
  return csv(
    'n,flag,yes/no,postcode,label,"a, ""quoted"" name",padded,pandas,floats,whole,big,rain,day,time,stamp,clock,instant,é',
    Array.from({ length: 5000 }, (_, row) => [
      String(row + offset),
      pick(['True', 'False']),
      hole(9, () => pick(['yes', 'no'])),
      pick(['00501', '02139', '10001', '94105']),
      quoted(pick(labels)),
      hole(4, () => quoted(pick(labels))),
      (100 * stream.uniform() - 50).toFixed(decimals),
      (stream.uniform() * 9).toFixed(decimals).replace(/(\.\d+?)0+$/, '$1'),
      String((stream.uniform() - 0.5) * 10 ** (stream.below(9) - 4)),
      hole(7, () => `${String(stream.below(3000))}.0`),
      String(stream.below(9) * 10 ** 11 + stream.below(1000)),
      stream.below(3) > 0 ? '0.0' : (40 * stream.uniform()).toFixed(1),
      day(),
      hole(5, () => `${day()}${separator}${two(24)}:${two(60)}${zone}`),
      `${day()}${separator}${two(24)}:${two(60)}:${two(60)}.${String(stream.below(10 ** digits)).padStart(digits, '0')}${zone}`,
      ofDay.below(6) === 0 ? '' : time().slice(0, 5),
      `${time()}.${String(ofDay.below(10 ** digits)).padStart(digits, '0')}`,
      String(stream.below(40)),
    ]),
  );
}

describe('5,000 rows of every kind', () => {
  const comeBack = async (seed: number): Promise<void> => {
    const read = await learnt(randomTable(seed));
    expect(read.table.leftOut.map(({ name }) => name)).toEqual(['n']);
    expect(read.table.variables).toHaveLength(17);
    await thereAndBack(read);
  };
  const title = 'come back in the same columns, order, formats and codes (seed %i)';
  test.each([1])(title, comeBack);
  test.each([2, 3])(title, { tags: 'nightly' }, comeBack);

  test('are drawn alike for a seed, and otherwise for another', async () => {
    const { table, matrix } = await learnt(randomTable(5));
    const [one, again, other] = [5, 5, 6].map((seed) => csvOf(valuesOf(matrix, table, seed), table));
    expect(again === one).toBe(true);
    expect(other === one).toBe(false);
  });

  test('come back in coarse bins and with labels beyond the most that are told apart', async () => {
    const options = { bins: 7, maxCategories: 3, cutPoints: 2 };
    const { raw, table, matrix } = await learnt(randomTable(9), options);
    const text = csvOf(valuesOf(matrix, table, 5), table);
    const [encoded] = await encodeTable(await opened(text), table, [5000]);
    expect(Buffer.compare(encoded!.matrix.bytes, matrix.bytes)).toBe(0);
    expect(raw.columns).toEqual((await opened(text)).columns);
  });
});

test('cells are written as the file has them', async () => {
  const rows = Array.from({ length: 30 }, (_, row) => [
    `${String((row * 7) % 5)}.50`,
    row % 3 === 0 ? 'False' : 'True',
    `00${String(500 + (row % 4))}`,
    quoted(['a,b', 'c\nd', 'e "f"'][row % 3]!),
    `2026-01-${String(1 + (row % 5)).padStart(2, '0')}T08:30:00.${row % 2 === 0 ? '250' : '500'}+01:00`,
    row % 4 === 0 ? '' : '7.0',
  ]);
  const text = csv('x,flag,code,label,at,holes', rows);
  expect(await thereAndBack(await learnt(text))).toBe(text);
});

/** Whether pandas reads a column of these texts as whole numbers (`int64`), and as what it does otherwise. */
const dtypeOf = (texts: readonly string[]): string =>
  texts.every((text) => /^[+-]?\d+$/.test(text)) ? 'int64' : 'float64';

test.each([
  ['whole numbers', (row: number) => String(row % 7)],
  ['whole numbers beside holes, as pandas writes them', (row: number) => (row % 5 === 0 ? '' : `${String(row % 7)}.0`)],
  ['bare and fractional numbers', (row: number) => (row % 3 === 0 ? `${String(row % 7)}.5` : String(row % 7))],
  ['trimmed fractions', (row: number) => (row % 3 === 0 ? `${String(row % 7)}.25` : `${String(row % 7)}.0`)],
  ['padded fractions', (row: number) => ((row % 9) * 1.25).toFixed(2)],
  ['exponents', (row: number) => `${String(row % 4)}e3`],
  ['points with nothing behind them', (row: number) => `${String(row % 6)}.`],
  ['signs', (row: number) => `+${String(row % 6)}`],
  ['tiny numbers', (row: number) => (row % 3 === 0 ? '0.0' : `${String(row % 5)}e-30`)],
  ['all digits of floating point', (row: number) => String([1 / 3, 0.3, 0.7, 2.5][row % 4]!)],
])('%s are written with their values, and as the same type: any part of the column too', async (_, cell) => {
  const rows = Array.from({ length: 120 }, (__, row) => [cell(row), 'ab'[row % 2]!]);
  const { table, matrix } = await learnt(csv('x,y', rows));
  const texts = valuesOf(matrix, table, 5)[0]!;
  expect(texts.map((text) => Number(text ?? 'NaN'))).toEqual(rows.map(([text]) => (text === '' ? NaN : Number(text))));
  const dtype = dtypeOf(rows.map(([text]) => text!));
  // of whichever rows the draws are
  expect(texts.filter((text) => text !== null && dtypeOf([text]) !== dtype)).toEqual([]);
});

test.each([
  ['whole numbers', (row: number) => String(row % 7)],
  ['two whole numbers', (row: number) => String(row % 2)],
])('%s beside missing values have no point, in rows without any too', async (_, cell) => {
  const rows = Array.from({ length: 120 }, (__, row) => [row % 5 === 0 ? '' : cell(row), 'ab'[row % 2]!]);
  const { table, matrix } = await learnt(csv('x,y', rows));
  const texts = valuesOf(matrix, table, 5);
  expect(csvOf(texts, table)).toBe(csv('x,y', rows));
  const without = rows.filter(([x]) => x !== '');
  const own = texts.map((cells) => cells.filter((__, row) => rows[row]![0] !== ''));
  expect(csvOf(own, table)).toBe(csv('x,y', without));
});

test('in batches of any number of rows they are written to the same bytes as at once', async () => {
  const { table, matrix } = await learnt(randomTable(3));
  const inBatches = (rows: BitMatrix, size: number): string => {
    const batches = [];
    for (let first = 0; first < rows.rows; first += size) {
      const some = rows.sliceRows(first, Math.min(rows.rows, first + size));
      batches.push(valuesOf(some, table, 5, new Map(), new Map(), first));
    }
    return [...csvPieces(batches, table)].join('');
  };
  const some = matrix.sliceRows(0, 1500);
  const atOnce = csvOf(valuesOf(some, table, 5), table);
  for (const size of [1, 7, 1000, 9000])
    expect(inBatches(some, size) === atOnce, `batches of ${String(size)}`).toBe(true);
});

test.each(['unknown', '~5', 'n/a', '?', 'inf'])('whole numbers beside %j are written without a point', async (word) => {
  const rows = Array.from({ length: 400 }, (__, row) => [row % 50 === 9 ? word : String(row % 37), 'ab'[row % 2]!]);
  const { table } = await learnt(csv('x,y', rows));
  expect(table.variables[0]).toMatchObject({ kind: 'ordered' });
  expect(csvOf([['3'], ['a']], table)).toBe('x,y\n3,a\n');
});

test('whole numbers with thousands separators get no point', async () => {
  const rows = Array.from({ length: 90 }, (__, row) => [row === 9 ? '' : `${String(row % 7)},250`, 'ab'[row % 2]!]);
  const { table } = await learnt(csv('x;y', []).concat(rows.map((row) => row.join(';')).join('\n')));
  expect(csvOf([['250'], ['a']], table)).toBe('x,y\n250,a\n');
});

test.each(['whole.parquet', 'whole.feather', 'whole.npz'])(
  '%s: whole numbers are written as its types have them',
  async (name) => {
    const raw = await openTable(fixturePath(name));
    onTestFinished(() => raw.close());
    const table = await tableOf(raw, await profileTable(raw, {}), null, {});
    const [all] = await encodeTable(raw, table, [40]);
    const [head, ...lines] = csvOf(valuesOf(all!.matrix, table, 5), table)
      .trimEnd()
      .split('\n');
    expect(head).toBe('fractions,flag,whole');
    expect(lines.filter((line) => !/^-?\d+\.0,[01]\.0,-?\d+$/.test(line))).toEqual([]);
  },
);

test('rows are counted on from the number that the file counts from, under the same name or none', async () => {
  const rows = Array.from({ length: 12 }, (_, row) => [String(row + 7), row % 2 === 0 ? 'a' : 'b']);
  const text = csv(',x', rows);
  const read = await learnt(text);
  const written = await thereAndBack(read);
  expect((await readTable(written)).rows.map(([n]) => n)).toEqual(rows.map(([n]) => n));
});

test('what is left out, but counts nothing, is not written', async () => {
  const rows = Array.from({ length: 40 }, (_, row) => [`name ${String(row)}`, String(row % 3)]);
  expect(await thereAndBack(await learnt(csv('name,x', rows)))).toMatch(/^x\n\d\n/);
});

test('a row of one hole is a row', async () => {
  const read = await learnt(`x\n${Array.from({ length: 20 }, (_, row) => ['a', '""', 'b'][row % 3]).join('\n')}\n`);
  expect(await thereAndBack(read)).toMatch(/^x\na\n""\nb\n/);
});

test('codes in words say which values they stand for', async () => {
  const rows = Array.from({ length: 400 }, (_, row) => [
    (((row * 37) % 397) / 4).toFixed(2),
    row % 9 === 0 ? '' : 'ab'[row % 2]!,
  ]);
  const { table } = await learnt(csv('x,y', rows), { bins: 4 });
  const [x, y] = table.variables;
  const words = Array.from({ length: 4 }, (_, code) => wordsOf(x!, code));
  expect(words[0]).toMatch(/^below \d/);
  expect(words[1]).toMatch(/^\d.* to \d/);
  expect(words[3]).toMatch(/^above \d/);
  expect([0, 1, 2, 3].map((code) => wordsOf(y!, code))).toEqual(['a', 'b', OTHER, 'absent']);
});
