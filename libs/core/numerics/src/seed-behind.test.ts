import { expect, test } from 'vitest';
import { seedBehind } from './seed-behind.js';

test('seeds behind another one go round', () => {
  const last = Number.MAX_SAFE_INTEGER;
  expect([seedBehind(5, 0), seedBehind(5, 7), seedBehind(last - 1, 1)]).toEqual([5, 12, last]);
  expect([seedBehind(last, 0), seedBehind(last, 1), seedBehind(last - 2, 2 ** 40)]).toEqual([last, 0, 2 ** 40 - 3]);
});
