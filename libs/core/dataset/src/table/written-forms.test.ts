import type { OrderedVariable } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import type { RawCell } from '../table-files/raw-table.js';
import { numberOf, writeValue } from '../variables/cell-values.js';
import { rawTable, tableOfAll, variableOf } from './columns.suite.js';
import type { TableOptions } from './infer-table.js';

const times = (count: number, cell: (row: number) => RawCell): RawCell[] =>
  Array.from({ length: count }, (_, row) => cell(row));
const two = (part: number): string => String(part).padStart(2, '0');

/** A column, what is said of it, and each of its cells as it is read and written again. */
async function readAs(cells: readonly RawCell[], options: TableOptions = {}) {
  const table = await tableOfAll(
    rawTable(
      ['x'],
      cells.map((cell) => [cell]),
    ),
    options,
  );
  const variable = table.variables[0] as OrderedVariable;
  const again = cells.map((cell) => {
    const number = cell === null ? NaN : numberOf(cell, variable.format);
    return Number.isNaN(number) ? null : writeValue(number, variable.format);
  });
  return { variable, again, how: table.mended?.[0]?.how };
}

describe('numbers as people write them', () => {
  test.each([
    ['money', (row: number) => `$${row % 3 === 0 ? '1,0' : '2,1'}${two(row % 60)}.75`, [1000.75, 2159.75]],
    ['per cent', (row: number) => `${(row * 1.5 + 4.5).toFixed(1)}%`, [4.5, 93]],
    ['per cent behind a blank', (row: number) => `${row + 2} %`, [2, 61]],
    ['money with a decimal comma', (row: number) => `1.0${two(row)},75 €`, [1000.75, 1059.75]],
    ['decimal commas', (row: number) => `${row},5`, [0.5, 59.5]],
    ['thousands', (row: number) => `${row + 1},250,000`, [1_250_000, 60_250_000]],
    [
      'thousands, and hundreds among them',
      (row: number) => (row < 30 ? `${row + 100}` : `1,${row + 100}`),
      [100, 1159],
    ],
    ['losses', (row: number) => `${row % 2 ? '-' : ''}$${row + 1}.00`, [-60, 59]],
    ['losses in brackets', (row: number) => (row % 2 ? `($${row + 1}.00)` : `$${row + 1}.00`), [-60, 59]],
    ['the same without a currency', (row: number) => (row === 7 ? '(1,064.50)' : `${row + 10}.50`), [-1064.5, 69.5]],
    ['currencies by letters', (row: number) => `${row + 10} EUR`, [10, 69]],
  ])('are read, and written as they were: %s', async (_, cell, range) => {
    const cells = times(60, cell);
    const { variable, again, how } = await readAs(cells);
    expect(variable).toMatchObject({ kind: 'ordered', holes: 0, range });
    expect(again).toEqual(cells);
    expect(how).toMatch(/^numbers as ".*" are read as /);
  });

  test('have missing values where a cell among many is none, and are refused with strict', async () => {
    const cells = times(100, (row) => (row === 40 ? 'on request' : row === 41 ? null : `$${row + 1}.50`));
    const { variable, how } = await readAs(cells);
    expect(variable).toMatchObject({ kind: 'ordered', holes: 2 });
    expect(how).toBe('numbers as "$1.50" are read as 1.5; 1 cell is not read as numbers, as "on request": missing');
    await expect(variableOf(cells, { strict: true })).rejects.toMatchObject({ code: 'value' });
  });

  test('have thousands among decimal commas where no comma stands, up to half of the cells', async () => {
    const cells = times(60, (row) => (row % 2 === 0 ? `${row + 1}.250` : `${row + 100},55`));
    const { variable, again, how } = await readAs(cells);
    expect(variable).toMatchObject({ kind: 'ordered', holes: 0, range: [101.55, 59_250] });
    expect(again.slice(0, 2)).toEqual(['1.250,0', '101,55']);
    expect(how).toBe('numbers as "101,55" are read as 101.55');
  });

  test('have no thousands where a zero or another number of digits stands, and say what is not read', async () => {
    const cells = times(60, (row) => (row === 3 ? '0.250' : row === 4 ? '1.5' : `${row + 100},55`));
    const { variable, again, how } = await readAs(cells);
    expect(variable).toMatchObject({ kind: 'ordered', holes: 2 });
    expect([again[3], again[4]]).toEqual([null, null]);
    expect(how).toMatch(/; 2 cells are not read as numbers, as "0.250": missing$/);
    expect((await readAs(times(60, (row) => `0,${two(row)}5`))).variable).toMatchObject({ range: [0.005, 0.595] });
  });

  test('may have the minus of typography, also where few do', async () => {
    const commas = times(60, (row) => `${row % 3 === 0 ? '\u2212' : row % 3 === 1 ? '-' : ''}${row + 1},25`);
    expect((await readAs(commas)).variable).toMatchObject({ holes: 0, range: [-59.25, 60.25] });
    const points = times(60, (row) => (row === 7 ? '\u22127.5' : String(row)));
    expect(await variableOf(points)).toMatchObject({ kind: 'ordered', holes: 0, range: [-7.5, 59] });
    const money = times(60, (row) => `${row % 2 === 0 ? '\u2212' : ''}$${row + 1}`);
    expect((await readAs(money)).variable).toMatchObject({ holes: 0, range: [-59, 60] });
  });

  test('of per cents beside numbers without a sign it is said how many these are, and what else shares of 1 may mean', async () => {
    const cells = times(60, (row) => (row % 2 === 0 ? `0.0${(row % 7) + 1}` : `${row % 9}.5%`));
    expect((await readAs(cells)).how).toBe(
      'numbers as "1.5%" are read as 1.5; 30 cells have no "%" and are read as if they had it: 0.01 is 0.01%; if it means 1%, write all cells alike',
    );
    const dollars = times(60, (row) => (row === 3 ? '17' : `$${row + 1}`));
    expect((await readAs(dollars)).how).toBe(
      'numbers as "$1" are read as 1; 1 cell has no "$" and is read as if it had it',
    );
  });

  test('are labels where they are two, and in two currencies', async () => {
    expect(await variableOf(times(60, (row) => (row % 2 ? '5%' : '10%')))).toMatchObject({ kind: 'binary' });
    expect(await variableOf(times(60, (row) => `${row % 2 ? '$' : '€'}${row % 6}`))).toMatchObject({
      kind: 'categorical',
    });
  });
});

describe('dates as people write them', () => {
  test.each([
    [
      'days first, by a day beyond 12',
      (row: number) => `${two(1 + (row % 28))}/${two(1 + (row % 12))}/2023`,
      '03/11/2023',
    ],
    ['points between', (row: number) => `${1 + (row % 28)}.${1 + (row % 12)}.2023`, '3.11.2023'],
    ['months by name', (row: number) => `${1 + (row % 28)} ${['Jan', 'Apr', 'Dec'][row % 3]!} 2025`, '3 Nov 2023'],
    [
      'months by name, first',
      (row: number) => `${['January', 'April'][row % 2]!} ${1 + (row % 28)}, 2025`,
      'November 3, 2023',
    ],
    ['years of two digits', (row: number) => `${1 + (row % 12)}/${1 + (row % 28)}/24`, '11/3/23'],
    ['the same behind names', (row: number) => `${1 + (row % 28)}-${row % 2 ? 'Jan' : 'Feb'}-24`, '3-Nov-23'],
    ['the year first', (row: number) => `2025/${two(1 + (row % 12))}/${two(1 + (row % 28))}`, '2023/11/03'],
    ['with a time', (row: number) => `${two(13 + (row % 12))}/03/2025 ${two(row % 24)}:30`, '03/11/2023 00:00'],
    ['with hours of one digit', (row: number) => `${1 + (row % 12)}/28/2025 ${row % 24}:05`, '11/3/2023 0:00'],
    [
      'with halves of the day',
      (row: number) => `1/${1 + (row % 28)}/2025 ${1 + (row % 12)}:05:${two(row % 60)} ${row < 30 ? 'AM' : 'PM'}`,
      '11/3/2023 12:00:00 AM',
    ],
  ])('are read, and written as they were: %s', async (_, cell, third) => {
    const cells = times(60, cell);
    const { variable, again, how } = await readAs(cells);
    expect(variable).toMatchObject({ kind: 'ordered', holes: 0, format: { type: 'date' } });
    expect(again).toEqual(cells);
    expect(how).toMatch(/^dates as ".*" are read as 20\d\d-\d\d-\d\d/);
    const day = Date.UTC(2023, 10, 3) / 1000;
    const { format } = variable;
    expect(writeValue(format.type === 'date' && format.time === null ? day / 86_400 : day, format)).toBe(third);
  });

  test('say the order of day and month where nothing tells it, and take the one that is said', async () => {
    const cells = times(60, (row) => `${two(1 + (row % 12))}/${two(1 + ((row * 5) % 12))}/2025`);
    const either = await readAs(cells);
    expect(either.variable.format).toMatchObject({ written: { order: 'mdy' } });
    expect(either.how).toBe(
      'dates as "01/01/2025" are read as 2025-01-01; if day and month are the other way round, say dmy',
    );
    const said = await readAs(cells, { dates: 'dmy' });
    expect(said.variable.format).toMatchObject({ written: { order: 'dmy' } });
    expect(said.again).toEqual(cells);
    const points = await readAs(cells.map((cell) => String(cell).replaceAll('/', '.')));
    expect(points.variable.format).toMatchObject({ written: { order: 'dmy' } });
  });

  test('have years from 1969 to 2068 where these have two digits, also beyond them', async () => {
    const cells = times(60, (row) => `${two(1 + (row % 28))}.${two(1 + (row % 12))}.${two(40 + row)}`);
    const { variable, again } = await readAs(cells);
    expect(again).toEqual(cells);
    expect(variable.range).toEqual(['1969-06-02', '2068-05-01'].map((day) => Date.parse(day) / 86_400_000));
    expect(writeValue(Date.UTC(2070, 0, 1) / 86_400_000, variable.format)).toBe('31.12.68');
    expect(writeValue(Date.UTC(1960, 0, 1) / 86_400_000, variable.format)).toBe('01.01.69');
  });

  test('are no releases as 1.2.10, and nothing where the year may be in front', async () => {
    for (const cells of [times(60, (row) => `1.${row % 12}.10`), times(60, (row) => `24-${two(1 + (row % 12))}-10`)])
      expect(await variableOf(cells)).toMatchObject({ kind: 'categorical' });
  });

  test('are missing where no calendar has them', async () => {
    const cells = times(100, (row) =>
      row === 7 ? '31/02/2023' : `${two(1 + (row % 28))}/${two(1 + (row % 12))}/2023`,
    );
    expect((await readAs(cells)).variable).toMatchObject({ kind: 'ordered', holes: 1 });
  });
});
