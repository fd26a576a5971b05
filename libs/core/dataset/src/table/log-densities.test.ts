import { expect, test } from 'vitest';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { openTable } from '../table-files/open-table.js';
import { meanLogDensities, rowLogDensities } from './log-densities.js';
import { readTableSplits } from './read-splits.js';

async function rowsOf(text: string, bins?: number): Promise<BitMatrix> {
  const bytes = (async function* () {
    yield await Promise.resolve(Buffer.from(text));
  })();
  const raw = await openTable({ name: 'table.csv', bytes }, { header: true });
  const { test: rows } = await readTableSplits(
    { train: raw, valid: null, test: null },
    { valid: 0.1, test: 0.5 },
    1,
    bins === undefined ? {} : { bins },
  );
  await raw.close();
  return rows!;
}

const lineOf = (row: number): string =>
  [
    ((row * 7919) % 997) / 31.7,
    (row * 31) % 17 === 0 ? '' : ((row * 104729) % 1009) / 7,
    row % 3 === 0 ? 'x' : 'y',
  ].join(',');
const text = ['size,weight,kind', ...Array.from({ length: 200 }, (_, row) => lineOf(row))].join('\n');

test('densities of rows are in the mean those of the columns together, tails and holes among them', async () => {
  const rows = await rowsOf(text, 6);
  const { nats, hasMeans } = rowLogDensities(rows);
  const mean = meanLogDensities(rows).reduce((sum, value) => sum + value, 0);
  expect(hasMeans).toBe(true);
  expect(nats.reduce((sum, value) => sum + value, 0) / rows.rows).toBeCloseTo(mean, 9);
  expect(new Set(nats).size).toBeGreaterThan(1);
});

test('values that have masses have no densities', async () => {
  const rows = await rowsOf(
    ['kind,count', ...Array.from({ length: 60 }, (_, row) => `${row % 2 === 0 ? 'a' : 'b'},${String(row % 4)}`)].join(
      '\n',
    ),
  );
  expect(rowLogDensities(rows)).toEqual({ nats: new Float64Array(rows.rows), hasMeans: false });
});
