import type { CategoricalVariable } from '@orchard/contracts';
import { categorical, ordered } from '@orchard/dataset/conformance/tables';
import { expect, it } from 'vitest';
import { isUnlearned, surpriseOfOne } from './learned-counts.js';

it('a label that was not learned surprises by how common labels are that come once', () => {
  const customers: CategoricalVariable = {
    ...{ kind: 'categorical', name: 'customer', holes: 0, others: 0 },
    ...{ labels: ['a', 'b', 'c', 'd'], counts: [6, 1, 1, 1] },
  };
  expect(surpriseOfOne(customers)).toBeCloseTo(Math.log(10 / 4));
  expect(surpriseOfOne({ ...customers, counts: [3, 3, 2, 2], others: 5 })).toBeCloseTo(Math.log(16 / 6));
});

it('a label is unlearned without rows, a number where it lies between others too', () => {
  const label = categorical('colour', 3);
  expect([0, 1].map((code) => isUnlearned(label, [0, 2, 0, 0], code))).toEqual([true, false]);
  const number = ordered('size', 4, 'mass');
  expect([0, 1, 2].map((code) => isUnlearned(number, [0, 0, 2, 2], code))).toEqual([false, true, false]);
  expect(isUnlearned(ordered('size', 4, 'density'), [0, 0, 2, 2], 1)).toBe(false);
});
