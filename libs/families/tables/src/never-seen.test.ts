import { expect, test } from 'vitest';
import { neverSeen } from './never-seen.js';

/** Rows with 0 and with 1 in training, validation and test; one of each split that does not reach the decision. */
const counts = (train: [number, number], valid: [number, number], test: [number, number]) =>
  Uint32Array.of(...train, 1, 0, ...valid, 1, 0, ...test, 1, 0);

test('a decision of which no row had the outcome has odds below those that a rule ends at, and no trees', () => {
  const trained = neverSeen({ testRows: 3 }, 3, counts([2, 0], [1, 0], [1, 1]))!;
  expect(trained.ensemble.startOdds).toBe(5 ** -3);
  expect(trained.ensemble.leafCounts).toHaveLength(0);
  expect(trained.curves.valid![0]).toBeCloseTo(-Math.log(1 + 5 ** -3), 12);
  expect(trained.curves.test![0]).toBeCloseTo(-Math.log(1 + 5 ** -3) - Math.log(1 + 5 ** 3), 12);
});

test('a decision of which a row had the outcome, be it one that validates, is boosted', () => {
  expect(neverSeen({ testRows: 0 }, 3, counts([2, 0], [0, 1], [0, 0]))).toBeNull();
  expect(neverSeen({ testRows: 0 }, 3, counts([0, 1], [1, 0], [0, 0]))).toBeNull();
});
