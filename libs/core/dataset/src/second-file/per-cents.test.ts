import { describe, expect, it } from 'vitest';
import { rawTable, tableOfAll } from '../table/columns.suite.js';
import { readAsTrained } from './find-readings.js';

const COUNT = 60;
const rows = (cellOf: (rate: number) => string) =>
  rawTable(
    ['rate', 'kind'],
    Array.from({ length: COUNT }, (_, row) => [cellOf(2 + ((row * 37) % 89)), `k${String(row % 3)}`]),
  );
const perCents = (rate: number): string => `${String(rate)}%`;
const shares = (rate: number): string => (rate / 100).toFixed(2);
const bare = String;

async function firstRead(trained: (rate: number) => string, second: (rate: number) => string): Promise<unknown> {
  const { table, readings } = await readAsTrained(rows(second), await tableOfAll(rows(trained)));
  for await (const { columns } of table.batches()) return [columns[0]!.at(0), readings[0]?.write(trained(50)) ?? null];
  return null;
}

describe('a column in per cents and one without the sign', () => {
  it.each<[string, (rate: number) => string, (rate: number) => string, unknown]>([
    ['23% for a model of .23', shares, perCents, [0.02, '50%']],
    ['.23 for a model of 23%', perCents, shares, [2, '0.50']],
    ['23% for a model of 23', bare, perCents, [2, '50%']],
    ['23 for a model of 23%', perCents, bare, ['2', '50']],
  ])('is read as is meant: %s', async (_, trained, second, expected) => {
    expect(await firstRead(trained, second)).toEqual(expected);
  });

  it('is refused with both values where it is not clear which is meant', async () => {
    await expect(firstRead(shares, (rate) => `${(rate / 60).toFixed(3)}%`)).rejects.toMatchObject({
      code: 'value',
      got: '"0.033%" (60 cells), which may be 0.03 or 0.00',
      expected: 'numbers as in the training rows, 0.02 to 0.90',
    });
  });
});
