import { expect, test } from 'vitest';
import { isNearOthers } from './near-others.js';

const large = { id: 'a', rows: 1_000_000, dimensions: 1_000 };
const idle = { threads: 2, active: 0, cached: ['a'] };

test.each([
  ['are near a worker that has them and a thread free', true, large, false, idle],
  ['are where they are on this machine too', false, large, true, idle],
  ['are where who has them is busy', false, large, false, { ...idle, active: 2 }],
  ['are where none has them', false, large, false, { ...idle, cached: ['b'] }],
  ['are where a worker of an earlier release does not say', false, large, false, { threads: 2, active: 0 }],
  ['are where they are small', false, { ...large, rows: 1_000 }, false, idle],
])('data %s: %s', async (_, isNear, data, isHere, other) => {
  const ports = { isCached: () => Promise.resolve(isHere), others: () => Promise.resolve([other]) };
  expect(await isNearOthers(data, ports)).toBe(isNear);
});
