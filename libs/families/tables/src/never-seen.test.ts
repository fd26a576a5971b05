import { Split } from '@orchard/kernel';
import { expect, test } from 'vitest';
import { neverSeen } from './never-seen.js';

const data = (splits: readonly number[]) => ({
  splitOf: (row: number) => splits[row]! as 0 | 1 | 2,
  testRows: splits.filter((split) => split === Split.test).length,
});

test('a decision of which no row had the outcome has odds below those that a rule ends at, and no trees', () => {
  const trained = neverSeen(data([0, 0, 1, 2, 2]), { labels: Uint8Array.of(0, 0, 0, 1, 0), predictors: 3 })!;
  expect(trained.ensemble.startOdds).toBe(5 ** -3);
  expect(trained.ensemble.leafCounts).toHaveLength(0);
  expect(trained.curves.valid![0]).toBeCloseTo(-Math.log(1 + 5 ** -3), 12);
  expect(trained.curves.test![0]).toBeCloseTo(-Math.log(1 + 5 ** -3) - Math.log(1 + 5 ** 3), 12);
});

test('a decision of which a row had the outcome, be it one that validates, is boosted', () => {
  expect(neverSeen(data([0, 0, 1]), { labels: Uint8Array.of(0, 0, 1), predictors: 3 })).toBeNull();
  expect(neverSeen(data([0, 0, 1]), { labels: Uint8Array.of(2, 1, 0), predictors: 3 })).toBeNull();
});
