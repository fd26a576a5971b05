import { expect, test } from 'vitest';
import { greatestOf, placeOfGreatest } from './greatest.js';
import { logSumExp } from './log-sum-exp.js';

test('the greatest of values is found, and where it first stands', () => {
  expect(greatestOf([2, 7, -1, 7])).toBe(7);
  expect(placeOfGreatest([2, 7, -1, 7])).toBe(1);
  expect(placeOfGreatest(Float64Array.of(-Infinity, -3))).toBe(1);
});

test('of no values the greatest is -Infinity, at place 0', () => {
  expect(greatestOf([])).toBe(-Infinity);
  expect(placeOfGreatest([])).toBe(0);
});

test('likelihoods are summed that would be 0 by themselves', () => {
  expect(logSumExp([-2000, -2000])).toBeCloseTo(-2000 + Math.LN2, 12);
  expect(logSumExp([-Infinity, -Infinity])).toBe(-Infinity);
});
