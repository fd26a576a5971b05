import type { BitMatrix } from '@orchard/dataset';
import { expect, it } from 'vitest';
import { TrainingData } from './index.js';
import { oneHotMatrix, randomMatrix } from './kernel.suite.js';

const groupsOf = (train: BitMatrix) =>
  TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 32 }).groups();

it('groups of columns are found in rows of bits that look one-hot, one after another up to the last column', () => {
  const groups = groupsOf(oneHotMatrix(4, 2000, 120));
  expect(groups.length).toBeGreaterThan(0);
  expect(groups.length).toBeLessThan(15);
  expect(groups[0]!.start).toBe(0);
  groups.slice(1).forEach(({ start }, index) => expect(start).toBe(groups[index]!.end));
  expect(groups.at(-1)!.end).toBe(120);
});

it('rows of bits that do not look one-hot are left to bytes', () => {
  expect(groupsOf(randomMatrix(4, 2000, 120))).toEqual([]);
});
