import type { OrderedVariable } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import type { RawCell } from '../table-files/raw-table.js';
import { numberOf, writeValue } from '../variables/cell-values.js';
import { rawTable, tableOfAll, variableOf } from './columns.suite.js';
import type { TableOptions } from './infer-table.js';

const times = (count: number, cell: (row: number) => RawCell): RawCell[] =>
  Array.from({ length: count }, (_, row) => cell(row));
const two = (part: number): string => String(part).padStart(2, '0');
const day = (row: number): string =>
  new Date(86_400_000 * (19_700 + ((row * 37) % 800))).toISOString().slice(0, 10).replaceAll('-', '');
const clock = (row: number): number => ((row * 7) % 24) * 100 + ((row * 13) % 60);

/** A column, what is said of it, and each of its cells as it is read and written again. */
async function readAs(cells: readonly RawCell[], options: TableOptions = {}, name = 'x') {
  const notes: string[] = [];
  const table = await tableOfAll(
    rawTable(
      [name],
      cells.map((cell) => [cell]),
    ),
    { ...options, onNote: (note) => notes.push(note) },
  );
  const variable = table.variables[0] as OrderedVariable;
  const again = cells.map((cell) => {
    const number = cell === null ? NaN : numberOf(cell, variable.format);
    return Number.isNaN(number) ? null : writeValue(number, variable.format);
  });
  return { variable, again, notes };
}

describe('whole numbers that are dates or times of day', () => {
  test.each<readonly [string, readonly RawCell[], string, string]>([
    ['days', times(300, day), '"20231209"', '2023-12-09'],
    ['days with a point, as pandas writes them', times(300, (row) => `${day(row)}.0`), '"20231209.0"', '2023-12-09'],
    ['days with no end', times(300, (row) => (row === 7 ? '99991231' : day(row))), '"20231209"', '2023-12-09'],
    ['months', times(300, (row) => `20${10 + (row % 14)}${two(1 + (row % 12))}`), '"201001"', '2010-01'],
    ['times of day', times(300, (row) => String(clock(row))), '"0"', '00:00'],
    ['times of day with zeros', times(300, (row) => String(clock(row)).padStart(4, '0')), '"0000"', '00:00'],
  ])('%s are read as such, said, and written as they were', async (_, cells, example, means) => {
    const { variable, again, notes } = await readAs(cells);
    expect(variable).toMatchObject({ kind: 'ordered', holes: 0 });
    expect(variable.format.type).not.toBe('number');
    expect(again).toEqual(cells);
    expect(notes[0]).toMatch(new RegExp(`as ${example} are read as ${means}; if they are plain numbers`));
  });

  test('come as numbers from typed files too, and every value between them is on the calendar', async () => {
    const { variable } = await readAs(times(300, (row) => Number(day(row))));
    const [least, greatest] = variable.range;
    expect(greatest - least).toBeLessThan(800);
    for (let value = least; value <= greatest; value++) {
      const text = writeValue(value, variable.format);
      expect(new Date(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`).getTime()).toBe(value * 86_400_000);
      expect(numberOf(Number(text), variable.format)).toBe(value);
    }
  });

  test('are plain numbers where the column is said to be ordered', async () => {
    const { variable } = await readAs(times(300, day), { types: { x: 'ordered' } });
    expect(variable).toMatchObject({ format: { type: 'number' } });
  });

  test('are no count of the rows, and no identifier', async () => {
    const rising = times(60, (row) =>
      new Date(86_400_000 * (19_700 + row)).toISOString().slice(0, 10).replaceAll('-', ''),
    );
    expect((await readAs(rising, {}, 'date_id')).variable).toMatchObject({ format: { type: 'date' } });
    const ofOneMonth = times(28, (row) => `202402${two(1 + row)}`);
    expect((await readAs([...ofOneMonth, '20240229', '20240301'])).variable).toMatchObject({
      format: { type: 'date' },
    });
  });

  test('stay numbers where a cell is none, which is said', async () => {
    const days = await readAs(times(300, (row) => (row === 9 ? '20240231' : day(row))));
    expect(days.variable).toMatchObject({ format: { type: 'number' } });
    expect(days.notes[0]).toMatch(
      /^of "x" 1 cell is no day as 20231209 is, as 20240231: numbers, and no dates, are read; if it marks a missing value/,
    );
    const clocks = await readAs(times(300, (row) => (row % 100 === 9 ? '2400' : String(clock(row)))));
    expect(clocks.notes[0]).toMatch(/^of "x" 3 cells are no time of day as 0 is, as 2400: /);
  });

  test.each<readonly [string, readonly RawCell[]]>([
    ['years', times(300, (row) => 1900 + (row % 120))],
    ['prices in whole hundreds', times(300, (row) => 100 * (row % 23))],
    ['multiples of 50', times(300, (row) => 50 * (row % 40))],
    ['counts below 60', times(300, (row) => row % 60)],
    ['pressures', times(300, (row) => 1000 + (row % 50))],
    ['rooms of ten floors', times(300, (row) => 100 * (1 + (row % 12)) + 1 + (row % 30))],
    ['status codes', times(300, (row) => [200, 201, 204, 301, 302, 304, 400, 401, 403, 404, 500, 502, 503][row % 13]!)],
    ['months of one year', times(300, (row) => 202_401 + (row % 12))],
    ['zip codes', times(300, (row) => 110_001 + ((row * 7919) % 600_000))],
    ['populations', times(300, (row) => 18_000_000 + ((row * 7919) % 4_000_000))],
    ['days with hours', times(300, (row) => `${day(row)}.5`)],
  ])('are no others: %s', async (_, cells) => {
    const { variable, notes } = await readAs(cells);
    expect(variable).toMatchObject({ kind: 'ordered', format: { type: 'number' } });
    expect(notes).toEqual([]);
  });
});

describe('dates', () => {
  test('are no part numbers, whose years are far apart', async () => {
    const year = (row: number): number => 1000 + ((row * 7919) % 9000);
    const parts = times(60, (row) => `${two(1 + (row % 12))}-${two(1 + (row % 28))}-${year(row)}`);
    const why = await variableOf(parts);
    expect(why).toMatch(/^its texts are mostly distinct: names, or dates whose years, \d+ to \d+, are too far apart/);
    const yearFirst = times(60, (row) => `${year(row)}-${two(1 + (row % 12))}-${two(1 + (row % 28))}`);
    expect(await variableOf(yearFirst)).toBe(String(why));
    expect(await variableOf(parts, { types: { x: 'ordered' } })).toMatchObject({ format: { type: 'date' } });
  });

  test('may have no end, as 9999, in many cells, and be of the Middle Ages', async () => {
    const ends = times(60, (row) => (row % 3 > 0 ? '31/12/9999' : `${two(13 + (row % 15))}/03/2024`));
    expect((await readAs(ends)).again).toEqual(ends);
    const old = times(60, (row) => `${1 + (row % 28)}.3.${1100 + 4 * row}`);
    expect((await readAs(old)).again).toEqual(old);
  });

  test.each<readonly [string, (row: number) => string, string]>([
    ['days first', (row) => `${two(1 + (row % 28))}-03-${two(20 + (row % 3))}`, '01-03-20'],
    ['months first', (row) => `03-${two(1 + (row % 28))}-${two(20 + (row % 3))}`, '03-01-20'],
    ['years first', (row) => `${two(20 + (row % 3))}-03-${two(1 + (row % 28))}`, '20-03-01'],
  ])('may have dashes and years of two digits where fewer years than days come up: %s', async (_, cell, first) => {
    const cells = times(60, cell);
    const { variable, again } = await readAs(cells);
    expect(again).toEqual(cells);
    expect(writeValue(Date.UTC(2020, 2, 1) / 86_400_000, variable.format)).toBe(first);
  });

  test('are no sizes and no part numbers of three times two digits', async () => {
    const cells = times(300, (row) => `${two(1 + (row % 12))}-${two(1 + (row % 28))}-${two((row * 37) % 100)}`);
    expect(await variableOf(cells)).toMatch(/mostly distinct/);
  });

  test.each<readonly [string, (row: number) => string]>([
    ['2024-01', (row) => `20${10 + (row % 14)}-${two(1 + (row % 12))}`],
    ['01/2024', (row) => `${two(1 + (row % 12))}/20${10 + (row % 14)}`],
    ['Jan 2024', (row) => `${['Jan', 'Apr', 'Dec'][row % 3]!} 20${10 + (row % 14)}`],
    ['JAN2024', (row) => `${['JAN', 'APR', 'DEC'][row % 3]!}20${10 + (row % 14)}`],
    ['January-2024', (row) => `${['January', 'April'][row % 2]!}-20${10 + (row % 14)}`],
  ])('may be months, in their order and to the month: %s', async (example, cell) => {
    const cells = times(60, cell);
    const { variable, again } = await readAs(cells);
    expect(again).toEqual(cells);
    expect(writeValue((2024 - 1970) * 12, variable.format)).toBe(example);
    expect(variable.range[0]).toBeGreaterThanOrEqual((2010 - 1970) * 12);
  });

  test.each<readonly [string, (row: number) => string]>([
    ['capitals', (row) => `${two(1 + (row % 28))}-${['JAN', 'APR', 'DEC'][row % 3]!}-2024`],
    ['small letters', (row) => `${1 + (row % 28)} ${['january', 'april'][row % 2]!} 2024`],
    ['nothing between them, as SAS writes', (row) => `${two(1 + (row % 28))}${['JAN', 'APR'][row % 2]!}2024`],
    ['nanoseconds', (row) => `2025-04-01T00:00:${two(row)}.670264000Z`],
    ['a comma before milliseconds', (row) => `2025-04-01 00:00:${two(row)},123`],
    ['UTC behind them', (row) => `2025-04-01 00:00:${two(row)} UTC`],
    ['hours of the zone alone', (row) => `2025-04-01 00:00:${two(row)}.5+00`],
    ['the zone of Go', (row) => `2025-04-01 00:00:${two(row)} +0000 UTC`],
  ])('are read, and written as they were, with %s', async (_, cell) => {
    const cells = times(60, cell);
    const { variable, again } = await readAs(cells);
    expect(variable).toMatchObject({ kind: 'ordered', holes: 0, format: { type: 'date' } });
    expect(again).toEqual(cells);
  });

  test('with nanoseconds are read to the microsecond, which is said', async () => {
    const { variable, notes } = await readAs(times(60, (row) => `2025-04-01T00:00:${two(row)}.670264291Z`));
    expect(writeValue(variable.range[0], variable.format)).toBe('2025-04-01T00:00:00.670264000Z');
    expect(notes).toEqual(['of "x" nanoseconds are read, and written, to the microsecond']);
  });
});
