import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect, it } from 'vitest';
import { readTable, type Opening, type WholeTable } from './opening.suite.js';

const rows = [
  { word: 'x', n: 0, real: 0.5 },
  { word: '', n: -9, real: -9 },
  { word: '-', n: 3, real: 1 },
];
const arrow = tableToIPC(
  tableFromArrays({
    word: rows.map(({ word }) => word),
    n: Int32Array.from(rows, ({ n }) => n),
    real: Float64Array.from(rows, ({ real }) => real),
  }),
  'file',
);
const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');

it.each<[string, (options: Opening) => Promise<WholeTable>]>([
  ['Arrow', (options) => readTable(arrow, { ...options, name: 'x.arrow' })],
  ['JSON lines', (options) => readTable(lines, { ...options, name: 'x.jsonl' })],
])('%s has empty texts as missing, or what is said to be', async (_, read) => {
  const cells = async (options: Opening): Promise<unknown[][]> => {
    const found = await read(options);
    return found.rows.map((row) => row.map((cell) => (Number.isNaN(cell) ? null : cell)));
  };
  expect(await cells({})).toEqual([
    ['x', 0, 0.5],
    [null, -9, -9],
    ['-', 3, 1],
  ]);
  expect(await cells({ missing: ['-', '-9'] })).toEqual([
    ['x', 0, 0.5],
    ['', null, null],
    [null, 3, 1],
  ]);
});
