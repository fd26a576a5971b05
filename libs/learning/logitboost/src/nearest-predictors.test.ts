import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { nearestPredictors } from './nearest-predictors.js';

const inverseOf = (ordering: Uint32Array): Uint32Array => {
  const positions = new Uint32Array(ordering.length);
  ordering.forEach((column, position) => (positions[column] = position));
  return positions;
};

test('in the natural order the nearest columns are those just before', () => {
  const natural = Uint32Array.from({ length: 10 }, (_, column) => column);
  const near = { count: 3, ordering: natural, positions: natural };
  expect([...nearestPredictors(7, near)]).toEqual([4, 5, 6]);
  expect([...nearestPredictors(2, near)]).toEqual([0, 1]);
  expect([...nearestPredictors(0, near)]).toEqual([]);
});

test('in any order they are those that a sort by distance puts first', () => {
  const random = new RandomStream(5, 63);
  const keys = Array.from({ length: 40 }, () => random.uniform());
  const ordering = Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]!);
  const positions = inverseOf(ordering);
  for (let position = 0; position < ordering.length; position++) {
    const own = ordering[position]!;
    const sorted = [...ordering.subarray(0, position)].sort((a, b) => Math.abs(a - own) - Math.abs(b - own) || a - b);
    const expected = sorted.slice(0, 6).map((column) => positions[column]!);
    expect([...nearestPredictors(position, { count: 6, ordering, positions })]).toEqual(expected.sort((a, b) => a - b));
  }
});
