import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { equalColumnsOf } from '../variables/equal-columns.js';
import { rawTable, tableOfAll } from './columns.suite.js';
import { encodeTable } from './encode-table.js';
import { meanLogDensities } from './log-densities.js';
import { valuesOf } from './write-table.js';

/** Bills, payments that are often the bill, and a column that is like neither. */
function rowsOf(count: number, equal: number): string[][] {
  const stream = new RandomStream(5, 1);
  return Array.from({ length: count }, () => {
    const bill = (1000 * stream.uniform()).toFixed(2);
    const payment = (1000 * stream.uniform() ** 2).toFixed(2);
    return [bill, (900 * stream.uniform()).toFixed(2), stream.uniform() < equal ? bill : payment];
  });
}
const columns = ['bill', 'spent', 'paid'];

test('columns that are often equal are found, with how often they are where their cells overlap', async () => {
  const table = await tableOfAll(rawTable(columns, rowsOf(2000, 0.3)));
  expect(table.equalities).toEqual([{ one: 'bill', other: 'paid', share: expect.any(Number) as number }]);
  expect(table.equalities![0]!.share).toBeGreaterThan(0.9);
});

test('columns that are equal by chance, or in a few rows, are left alone', async () => {
  expect((await tableOfAll(rawTable(columns, rowsOf(2000, 0)))).equalities).toBeUndefined();
  expect((await tableOfAll(rawTable(columns, rowsOf(2000, 0.004)))).equalities).toBeUndefined();
});

test('a column with thousands and one without are compared by value, and each is drawn as it is written', async () => {
  const text = rowsOf(2000, 0.3).map(([bill, spent, paid]) => [bill!, spent!, (10 * Number(paid)).toFixed(2)]);
  const rows = text.map(([bill, spent, paid], row) => [bill!, spent!, row % 3 === 0 ? bill! : paid!]);
  const plain = await tableOfAll(rawTable(columns, rows));
  const inGroups = rows.map(([bill, spent, paid]) => [bill!, spent!, paid!.replace(/\B(?=(\d{3})+\.)/g, ',')]);
  const raw = rawTable(columns, inGroups);
  const table = await tableOfAll(raw);
  expect(inGroups.some(([, , paid]) => paid!.includes(','))).toBe(true);
  expect(table.equalities).toEqual(plain.equalities);
  expect(table.equalities).toHaveLength(1);
  const [encoded] = await encodeTable(raw, table, [2000]);
  const [bills, , payments] = valuesOf(encoded!.matrix, table, 3);
  const drawn = payments!.map((paid, row) => [bills![row]!, paid!] as const);
  expect(drawn.filter(([bill, paid]) => paid === bill).length).toBeGreaterThan(400);
  expect(drawn.filter(([, paid]) => /^\d,\d{3}\.\d\d$/.test(paid)).length).toBeGreaterThan(400);
  expect(drawn.filter(([bill, paid]) => bill.includes(',') || /\d{4}\./.test(paid))).toEqual([]);
});

test('each column is in one equality at most', async () => {
  const rows = rowsOf(1500, 0.4).map(([bill, spent, paid], row) => [bill!, row % 4 === 0 ? bill! : spent!, paid!]);
  const { equalities } = await tableOfAll(rawTable(columns, rows));
  expect(equalities).toEqual([{ one: 'bill', other: 'paid', share: expect.any(Number) as number }]);
});

test('rows are likelier by it, whole and in the mean', async () => {
  const raw = rawTable(columns, rowsOf(1200, 0.3));
  const table = await tableOfAll(raw);
  const without = { ...table };
  delete (without as { equalities?: unknown }).equalities;
  const encoded = async (own: typeof table) => (await encodeTable(raw, own, [1200], { withDensities: true }))[0]!;
  const [one, other] = [await encoded(table), await encoded(without)];
  const sum = ({ logDensity }: { logDensity: Float64Array }): number => logDensity.reduce((all, nats) => all + nats, 0);
  expect((sum(one) - sum(other)) / 1200).toBeGreaterThan(0.2);
  const mean = (matrix: BitMatrix): number => meanLogDensities(matrix).reduce((all, nats) => all + nats, 0);
  for (const each of [one, other]) expect(mean(each.matrix)).toBeCloseTo(sum(each) / 1200, 9);
  const [pair] = equalColumnsOf(table);
  expect([...one.values.keys()]).toEqual([pair!.first, pair!.second]);
});
