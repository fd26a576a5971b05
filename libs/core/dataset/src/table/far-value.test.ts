import { expect, test } from 'vitest';
import { rawTable } from './columns.suite.js';
import { describeTable } from './describe-table.js';

const doubt = (value: string, others: string): string =>
  `${value} is far from all others, ${others}; if it marks a missing value, say so beside the other marks`;

const day = (row: number): string => new Date(Date.UTC(2025, 0, 1 + (row % 300))).toISOString().slice(0, 10);

test.each([
  ['nines below', (row: number) => (row % 50 === 0 ? '-999' : String(30 + (row % 17))), [doubt('-999', '30 to 46')]],
  [
    'nines above, beyond what is counted',
    (row: number) => (row % 90 === 0 ? '9999' : (row / 97).toFixed(3)),
    [doubt('9999.0', '0.01 to 103.082')],
  ],
  [
    'days',
    (row: number) => (row % 70 === 0 ? '1900-01-01' : day(row)),
    [doubt('1900-01-01', '2025-01-01 to 2025-10-27')],
  ],
  ['nines among others', (row: number) => (row % 50 === 0 ? '99' : String(row % 140)), []],
  ['nines that come once', (row: number) => (row === 7 ? '9999' : String(30 + (row % 17))), []],
  ['far values of other digits', (row: number) => (row % 50 === 0 ? '5000' : String(30 + (row % 17))), []],
] as const)('of %s', async (_, cell, warnings) => {
  const rows = Array.from({ length: 10_000 }, (_, row) => [cell(row)]);
  const { variables } = await describeTable(rawTable(['x'], rows, 1024), {});
  expect(variables[0]!.warnings.filter((warning) => warning.includes('far from'))).toEqual(warnings);
});
