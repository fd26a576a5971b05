import { expect, test } from 'vitest';
import type { RawCell } from '../table-files/raw-table.js';
import { rawTable, tableOfAll, variableOf } from './columns.suite.js';

const times = (count: number, text: (row: number) => string): RawCell[] =>
  Array.from({ length: count }, (_, row) => text(row));

test('labels that may be meant as one value, or as numbers, are reported', async () => {
  const howOf = async (text: (row: number) => string): Promise<string | undefined> => {
    const rows = times(120, text).map((cell) => [cell]);
    return (await tableOfAll(rawTable(['x'], rows))).mended?.[0]?.how;
  };
  const alike = (one: string, other: string): string =>
    `"${one}" and "${other}" are different labels; if they are one value, write them alike`;
  expect(await howOf((row) => ['Yes', 'no', 'YES'][row % 3]!)).toBe(alike('Yes', 'YES'));
  expect(await howOf((row) => ['yes', 'Yes'][row % 2]!)).toBe(alike('yes', 'Yes'));
  expect(await howOf((row) => ['caf\u00e9', 'bar', 'cafe\u0301'][row % 3]!)).toBe(alike('caf\u00e9', 'cafe\u0301'));
  expect(await howOf((row) => ['yes', 'no'][row % 2]!)).toBeUndefined();
  expect(await howOf((row) => (row % 4 === 0 ? '<0.6' : String((row % 25) / 10)))).toBe(
    '90 of 120 cells are numbers, the others not, as "<0.6": all are labels; if the column is of numbers, say that it is ordered, and the others are missing',
  );
  const asDates = (example: string): string =>
    `texts as "${example}" are labels; if they are dates, write them as 2026-01-31, 1/31/2026 or 31 Jan 2026, all alike`;
  expect(await howOf((row) => `${['Aug', 'Sep', 'Oct'][row % 3]!} 1 20${String(10 + (row % 5))}`)).toBe(
    asDates('Aug 1 2010'),
  );
  expect(
    await howOf((row) => (row % 2 ? `2024-02-0${String(1 + (row % 5))}` : `0${String(1 + (row % 6))}.02.2024`)),
  ).toBe(asDates('01.02.2024'));
  expect(await howOf((row) => `1.2.${String(row % 6)}`)).toBeUndefined();
  // a number beyond all that is read is no word
  expect(await howOf((row) => (row % 4 === 0 ? '1e400' : String(row % 5)))).toBe(
    '90 of 120 cells are numbers, the others not, as "1e400": all are labels; if the column is of numbers, say that it is ordered, and the others are missing',
  );
  // few numbers beside a word are grades
  expect(await howOf((row) => (row % 4 === 0 ? 'other' : String(row % 5)))).toBeUndefined();
});

test('addresses of computers, which are mostly distinct, are called neither dates nor numbers', async () => {
  const addresses = times(200, (row) => `10.0.${String(row % 90)}.${String(row)}`);
  expect(await variableOf(addresses)).toBe('its texts are mostly distinct: addresses or versions, as "10.0.0.0"');
});
