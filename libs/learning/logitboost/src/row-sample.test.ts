import { describe, expect, it, test } from 'vitest';
import { decisionOf, loadKernel } from '@orchard/kernel';
import { RowSample, sampleOf } from './row-sample.js';
import { trainConditional, type BoostingOptions } from './index.js';
import { arranged } from './splits.suite.js';

const rowsTo = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, row) => 3 * row + 1);

describe.each([
  [10, 1],
  [10, 3],
  [10, 7],
  [10, 9],
  [97, 40],
])('of %i rows %i for each tree', (all, count) => {
  const rows = rowsTo(all);
  const draws = (rounds: number, seed = 5, position = 2): number[][] => {
    const sample = new RowSample(seed, position, rows, count);
    return Array.from({ length: rounds }, (_, round) => [...sample.draw(round)]);
  };

  it('are that many different ones of them', () => {
    for (const drawn of draws(50)) {
      expect(new Set(drawn).size).toBe(count);
      expect(drawn.every((row) => rows.includes(row))).toBe(true);
    }
  });

  it('have every row as often as any other', () => {
    const rounds = 4000;
    const times = new Map<number, number>();
    for (const row of draws(rounds).flat()) times.set(row, (times.get(row) ?? 0) + 1);
    const expected = (rounds * count) / all;
    const deviation = Math.sqrt(expected * (1 - count / all));
    for (const row of rows) expect(Math.abs(times.get(row)! - expected)).toBeLessThan(5 * deviation);
  });

  it('are the same for the same seed, position and round, whatever was drawn before, and others for others', () => {
    const six = draws(6);
    const again = new RowSample(5, 2, rows, count);
    expect([4, 1, 5].map((round) => [...again.draw(round)])).toEqual([4, 1, 5].map((round) => six[round]));
    if (count === 1) return;
    for (const other of [draws(6, 6), draws(6, 5, 3), draws(6, 5 + 2 ** 32), six.slice(1)])
      expect(other.slice(0, 5)).not.toEqual(six.slice(0, 5));
  });
});

const options: BoostingOptions = {
  ...{ leaves: 4, rounds: 12, shrinkage: 0.2, start: 'base-rate', seed: 3 },
  ...{ minLeafWeight: 0.1, maxLeafValue: 2, l2: 0.1, featureFraction: 1, patience: 0 },
};
const rowsOf = (count: number): number[][] =>
  Array.from({ length: count }, (_, row) => [row & 1, (row >> 1) & 1, (row >> 2) & 1, (row % 5) & 1]);
const splits = { train: rowsOf(200), valid: rowsOf(40), test: rowsOf(10) };

test('a target that no more rows reach has all of them, and the trees of training without', async () => {
  const kernel = await loadKernel();
  const data = arranged(splits, 100);
  const labels = Uint8Array.from({ length: data.rowCount }, (_, row) => (data.bit(row, 0) ? data.bit(row, 3) : 2));
  const few = decisionOf(3, labels);
  expect(sampleOf(data, few, { seed: 1, rowsPerTree: 100 })).toBeNull();
  expect(sampleOf(data, 3, { seed: 1, rowsPerTree: 100 })!.rows.length).toBe(200);
  const [all, some] = [few, 3].map((target) => {
    const train = (rowsPerTree?: number) => trainConditional(kernel, data, target, { ...options, rowsPerTree });
    return [train(), train(100)] as const;
  });
  expect(all![1]).toEqual(all![0]);
  expect(some![1].ensemble).not.toEqual(some![0].ensemble);
});

test('rows of no number, or for a single tree, are refused', async () => {
  const kernel = await loadKernel();
  const train = (own: Partial<BoostingOptions>) => () =>
    trainConditional(kernel, arranged(splits, 100), 3, { ...options, ...own });
  expect(train({ rowsPerTree: 0 })).toThrow(/option "rowsPerTree": got 0, expected a whole number from 1 on/);
  expect(train({ rowsPerTree: 2.5 })).toThrow(/rowsPerTree/);
  expect(train({ rowsPerTree: 100, pseudoCount: 1 })).toThrow(/100 rows for each tree, and a single tree/);
});
