import type { Variable } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { judgedCell } from './unusual-cells.js';

const plain = { kind: 'categorical', name: 'who', holes: 0, labels: ['a', 'b'], counts: [30, 10], others: 60 } as const;
const shares = Float64Array.of(0.3, 0.1, 0.6);

test('one of 59 pooled labels, or a new one, is less likely than a label of its own; what surprises is beyond the entropy of all', () => {
  const variable: Variable = { ...plain, otherLabels: 59 };
  const [often, rare, pooled] = [0, 1, 2].map((code) => judgedCell(variable, shares, code));
  expect([often!.probability, rare!.probability]).toEqual([0.3, 0.1]);
  expect(pooled!.probability).toBeCloseTo(0.01, 12);
  const all = [0.3, 0.1, ...Array.from({ length: 60 }, () => 0.01)];
  const entropy = -all.reduce((sum, share) => sum + share * Math.log(share), 0);
  expect(pooled!.surprise).toBeCloseTo(-Math.log(0.01) - entropy, 12);
  expect(often!.surprise).toBeCloseTo(-Math.log(0.3) - entropy, 12);
});

test('of older files, which do not say how many labels are pooled, they count as one', () => {
  expect(judgedCell(plain, shares, 2).probability).toBe(0.6);
});
