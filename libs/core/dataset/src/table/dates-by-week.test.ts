import { describe, expect, it } from 'vitest';
import { rawTable, tableOfAll } from './columns.suite.js';
import { datesByWeek, dayOfWeek, dayOfYear } from './dates-by-week.js';

const labels = (...texts: string[]): ReadonlyMap<string, number> => new Map(texts.map((text) => [text, 1]));

describe('a date by the week or the day of the year', () => {
  it.each([
    // as Python's date.fromisocalendar has them
    [2024, 5, 3, '2024-01-31'],
    [2020, 53, 7, '2021-01-03'],
    [2021, 1, 1, '2021-01-04'],
    [2026, 1, 1, '2025-12-29'],
  ])('is a day: week %i, %i, %i', (year, week, day, means) => {
    expect(dayOfWeek(year, week, day)).toBe(means);
  });

  it('is none where the year has no such week or day', () => {
    expect([dayOfWeek(2021, 53), dayOfWeek(2021, 0), dayOfYear(2023, 366), dayOfYear(2023, 0)]).toEqual(
      Array(4).fill(null),
    );
    expect(dayOfYear(2024, 366)).toBe('2024-12-31');
  });

  it.each([
    ['weeks', ['2024-W05', '2024-W06', '2023-W52'], '2024-01-29'],
    ['weeks', ['2024W05', '2024W06', '2023W52'], '2024-01-29'],
    ['days of weeks', ['2024-W05-3', '2024-W06-1', '2023-W52-7'], '2024-01-31'],
    ['days of the year', ['2024-035', '2024-036', '2023-365'], '2024-02-04'],
  ])('is known by all texts of a column: %s', (what, texts, means) => {
    expect(datesByWeek(labels(...texts))).toEqual({ example: texts[0], what, means });
    expect(datesByWeek(labels(...texts, 'x'))).toBeNull();
    expect(datesByWeek(labels(...texts, '2024-W54', '2024-367'))).toBeNull();
  });
});

async function remarksOf(cells: readonly string[]): Promise<string> {
  const notes: string[] = [];
  const rows = cells.map((cell, row) => [cell, 'ab'[row % 2]!]);
  const { leftOut } = await tableOfAll(rawTable(['x', 'y'], rows), { onNote: (note) => notes.push(note) });
  return [...notes, ...leftOut.map(({ why }) => why)].join('\n');
}

const cellsOf = (cell: (row: number) => string): string[] => Array.from({ length: 90 }, (_, row) => cell(row));
const two = (number: number): string => String(number).padStart(2, '0');
const three = (number: number): string => String(number).padStart(3, '0');

describe('what is not read of dates is said with a form that is', () => {
  it.each([
    [
      'labels',
      cellsOf((row) => `2024-W${two(1 + (row % 30))}`),
      'texts as "2024-W01" are labels; if they are weeks, write them as 2024-01-01',
    ],
    [
      'distinct texts',
      cellsOf((row) => `2024-${three(1 + 4 * row)}`),
      'names, or days of the year, as "2024-001": written as 2024-01-01 they are read as dates',
    ],
    [
      'whole numbers',
      cellsOf((row) => `2024${three(1 + ((row * 37) % 366))}`),
      'as 2024001 are read as numbers; if they are days of the year (YYYYDDD), write them as 2024-01-01',
    ],
    [
      'whole numbers of weeks',
      cellsOf((row) => `${String(2020 + (row % 4))}${two(1 + ((row * 7) % 52))}`),
      'as 202001 are read as numbers; if they are weeks (YYYYWW), write them as 2019-12-30',
    ],
  ])('%s', async (_, cells, remark) => {
    expect(await remarksOf(cells)).toContain(remark);
  });
});
