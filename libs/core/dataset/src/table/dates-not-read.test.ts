import { describe, expect, it } from 'vitest';
import { rawTable, tableOfAll } from './columns.suite.js';

const day = (row: number): Date => new Date(Date.UTC(2022, 0, 1 + ((row * 37) % 700), row % 24, (row * 7) % 60));
const parts = (row: number): Record<'year' | 'month' | 'day' | 'hour' | 'minute', string> => {
  const [, year, month, ofMonth, hour, minute] = /(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(day(row).toISOString())!;
  return { year: year!, month: month!, day: ofMonth!, hour: hour!, minute: minute! };
};
const times = (cell: (row: number) => string | number): string[] =>
  Array.from({ length: 90 }, (_, row) => String(cell(row)));

async function doubtsOf(name: string, cells: readonly string[], extra = {}): Promise<string[]> {
  const doubts: string[] = [];
  const raw = {
    ...rawTable(
      [name],
      cells.map((cell) => [cell]),
    ),
    ...extra,
  };
  await tableOfAll(raw, { onDoubt: (_, doubt) => doubts.push(doubt) });
  return doubts;
}

describe('whole numbers that may be dates in a form that is not read are reported', () => {
  it.each<[what: string, name: string, cell: (row: number) => string | number]>([
    ['dates (DDMMYYYY)', 'x', (row) => Number(parts(row).day + parts(row).month + parts(row).year)],
    ['dates (MMDDYYYY)', 'x', (row) => Number(parts(row).month + parts(row).day + parts(row).year)],
    ['dates (YYMMDD)', 'x', (row) => Number(parts(row).year.slice(2) + parts(row).month + parts(row).day)],
    ['moments (YYYYMMDDHHMM)', 'x', (row) => Object.values(parts(row)).join('')],
    ['moments (YYYYMMDDHHMMSS)', 'x', (row) => `${Object.values(parts(row)).join('')}30`],
    ['times of day (HHMMSS)', 'x', (row) => Number(`${parts(row).hour}${parts(row).minute}${String(10 + (row % 50))}`)],
    ['seconds since 1970', 'created', (row) => day(row).getTime() / 1000],
    ['milliseconds since 1970', 'timestamp', (row) => day(row).getTime()],
    ['days as spreadsheets count them', 'Order date', (row) => 45_000 + ((row * 37) % 500)],
  ])('%s', async (what, name, cell) => {
    const doubts = await doubtsOf(name, times(cell));
    expect(doubts.join()).toContain(`are read as numbers; if they are ${what}, write them as `);
  });

  it('with what one of them means', async () => {
    const cells = times((row) => 6_052_023 + 1_000_000 * (row % 20));
    expect(await doubtsOf('x', cells)).toEqual([
      'whole numbers as 6052023 are read as numbers; if they are dates (DDMMYYYY), write them as 2023-05-06',
    ]);
  });

  it('but not amounts, ids and measurements', async () => {
    for (const [name, cell] of [
      ['price', (row: number) => 40_000 + row * 31],
      ['population', (row: number) => 1_700_000_000 + row * 1_000_003],
      ['x', (row: number) => 100_000 + ((row * 7919) % 900_000)],
      ['x', (row: number) => (row * 13) % 97],
      ['x', (row: number) => `${String((row * 7) % 60)}.5`],
    ] as const)
      expect(await doubtsOf(name, times(cell))).toEqual([]);
  });
});

it('a point before three digits of every number is doubted where cells are separated by semicolons', async () => {
  const cells = times((row) => `${String(1 + (row % 9))}.${String(100 + ((row * 37) % 900))}`);
  const written = { delimiter: ';' };
  expect(await doubtsOf('x', cells, { written })).toEqual([
    `${cells[0]!} is read with a decimal point; if it stands between thousands, say that the decimal mark is a comma`,
  ]);
  expect(await doubtsOf('x', cells, { written: { delimiter: ',' } })).toEqual([]);
  expect(await doubtsOf('x', ['0.125', ...cells], { written })).toEqual([]);
});
