import { expect, test } from 'vitest';
import { conditionOf } from './condition.js';

const working = { isThere: true, silentSeconds: 1, notice: null, holds: [{ run: 'a', task: 'train/1', share: 0.5 }] };

test('a worker that was killed with a task in hand is at work for 3 s, then silent until it counts as gone', () => {
  expect([0, 1, 3, 4, 14].map((silentSeconds) => conditionOf({ ...working, silentSeconds }))).toEqual([
    ...['at work', 'at work', 'at work'],
    ...['silent', 'silent'],
  ]);
  expect(conditionOf({ ...working, silentSeconds: 16, isThere: false })).toBe('gone');
});
