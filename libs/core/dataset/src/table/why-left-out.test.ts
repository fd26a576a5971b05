import { expect, test } from 'vitest';
import { variableOf } from './columns.suite.js';

const times = (count: number, cell: (row: number) => string): string[] =>
  Array.from({ length: count }, (_, row) => cell(row));
const tooLarge = (first: string): string =>
  `its values are mostly distinct numbers, some beyond 1e300, as "${first}", and numbers are read up to that: write them in a larger unit`;
const date = (first: string): string =>
  `its texts are mostly distinct and seem to be dates, as "${first}": those written as 2026-01-31, 1/31/2026 or 31 Jan 2026, all alike, are read as dates`;
const place = (row: number): string => String(1 + (row % 28));

test.each<[string, readonly string[], string]>([
  ['numbers beyond 1e300', times(40, (row) => `${String(row + 1)}.5e306`), tooLarge('1.5e306')],
  [
    'numbers of which a third are beyond 1e300',
    times(90, (row) => `${String(row + 1)}.5e${row % 3 === 1 ? '306' : '9'}`),
    tooLarge('2.5e306'),
  ],
  ['dates in words', times(60, (row) => `Jan ${place(row)} ${String(1960 + row)}`), date('Jan 1 1960')],
  ['dates of Germany', times(60, (row) => `${place(row)}. Jan ${String(1960 + row)}`), date('1. Jan 1960')],
  [
    'dates of the C library',
    times(60, (row) => `Sun Feb ${place(row)} 07:30:00 ${String(1960 + row)}`),
    date('Sun Feb 1 07:30:00 1960'),
  ],
  [
    'phone numbers',
    times(40, (row) => `+49 431 ${String(100_000 + row * 7)}`),
    'its texts are mostly distinct and seem to be numbers, as "+49 431 100000": those written as 1234.5, 1.2e3, $1,234.50 or 12 %, all alike, are read as numbers',
  ],
  [
    'names with a month in them',
    times(40, (row) => `May ${'abcdefgh'[row % 8]!}${String(row)} Street`),
    'its texts are mostly distinct: names or free text',
  ],
])('of %s it is said why they are left out', async (_, cells, why) => {
  expect(await variableOf(cells)).toBe(why);
});

test('one number beyond 1e300 leaves out no column', async () => {
  const cells = times(40, (row) => `${String(row + 1)}.5e${row === 7 ? '307' : '9'}`);
  expect(await variableOf(cells)).toMatchObject({ kind: 'ordered' });
});
