import type { Variable } from '@orchard/contracts';
import { ordered } from '@orchard/dataset/conformance/tables';
import { expect, test } from 'vitest';
import { judgedCell } from './unusual-cells.js';

const plain = { kind: 'categorical', name: 'who', holes: 0, labels: ['a', 'b'], counts: [30, 10], others: 60 } as const;
const usual = { farOut: 0 };
const shares = Float64Array.of(0.3, 0.1, 0.6);

test('one of 59 pooled labels, or a new one, is less likely than a label of its own; what surprises is beyond the entropy of all', () => {
  const variable: Variable = { ...plain, otherLabels: 59 };
  const [often, rare, pooled] = [0, 1, 2].map((code) => judgedCell(variable, shares, code, usual));
  expect([often!.probability, rare!.probability]).toEqual([0.3, 0.1]);
  expect(pooled!.probability).toBeCloseTo(0.01, 12);
  const all = [0.3, 0.1, ...Array.from({ length: 60 }, () => 0.01)];
  const entropy = -all.reduce((sum, share) => sum + share * Math.log(share), 0);
  expect(pooled!.surprise).toBeCloseTo(-Math.log(0.01) - entropy, 12);
  expect(often!.surprise).toBeCloseTo(-Math.log(0.3) - entropy, 12);
});

test('of older files, which do not say how many labels are pooled, they count as one', () => {
  expect(judgedCell(plain, shares, 2, usual).probability).toBe(0.6);
});

test('a value far out has the chance of one as far out or farther, not that of its cell, and is a reason', () => {
  const size = ordered('size', 4, 'density');
  const ofSize = Float64Array.of(0.01, 0.01, 0.01, 0.97);
  const near = judgedCell(size, ofSize, 3, usual);
  const far = judgedCell(size, ofSize, 3, { farOut: 5 });
  expect([near.probability, far.probability]).toEqual([0.97, 0.97 * Math.exp(-5)]);
  expect(near.surprise).toBeLessThan(0);
  expect(far.surprise - near.surprise).toBeCloseTo(5, 12);
});
