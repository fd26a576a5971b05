import { expect, test } from 'vitest';
import { fallsSomewhere, heldOutPoints } from './held-out.js';

const submittedAt = '2026-11-26T07:00:00.000Z';
const now = Date.parse(submittedAt) + 90_000;

test('what workers tell of tasks that are not stored yet is the newest point, and never before one that is', () => {
  const points: [number, number][] = [[30, -12]];
  expect(heldOutPoints({ points }, { logLikelihood: -11, state: 'training', submittedAt }, now)).toEqual([
    [30, -12],
    [90, -11],
  ]);
  expect(heldOutPoints({ points }, { logLikelihood: -11, state: 'training', submittedAt }, now - 80_000)[1]).toEqual([
    30, -11,
  ]);
  expect(heldOutPoints({ points }, { logLikelihood: null, state: 'training', submittedAt }, now)).toEqual(points);
  expect(heldOutPoints({ points }, { logLikelihood: -11, state: 'done', submittedAt }, now)).toEqual(points);
});

test('a likelihood that falls on its way is explained, one that only rises is not', () => {
  const curve = (...nats: number[]) => nats.map((value, at) => [at, value] as const);
  expect(fallsSomewhere(curve(-10, -12, -9))).toBe(true);
  expect(fallsSomewhere(curve(-12, -12, -9))).toBe(false);
  expect(fallsSomewhere([])).toBe(false);
});
