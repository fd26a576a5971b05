import { unknownTimeLeft, type Task } from '@orchard/contracts';
import type { Family, Plan, Run } from '@orchard/pipeline';
import { expect, test, vi } from 'vitest';
import { noFailures } from './attempts.js';
import type { Life } from './lifecycle.js';
import { notBefore, secondsBesideOthers } from './time-beside-others.js';
import { TrackedRun } from './tracked-run.js';

test('runs that take turns end together where they are alike, and a small one before large ones', () => {
  expect(secondsBesideOthers(180, [180], 2)).toBe(90);
  expect(secondsBesideOthers(180, Array<number>(50).fill(180), 2)).toBe(4_500);
  expect(secondsBesideOthers(4, [4, 1_000, Infinity], 2)).toBe(6);
  expect(secondsBesideOthers(1_000, [4, 1_000], 2)).toBe(502);
  expect(secondsBesideOthers(0, [0, 1_000], 2)).toBe(0);
});

test('the range stays as wide, and what is longer or unknown stays', () => {
  const left = { secondsLeft: 10, secondsLeftRange: { least: 4, most: 25 } };
  expect(notBefore(left, 100)).toEqual({ secondsLeft: 100, secondsLeftRange: { least: 40, most: 250 } });
  expect(notBefore(left, 9)).toBe(left);
  expect(notBefore(left, null)).toBe(left);
  expect(notBefore(unknownTimeLeft, 100)).toBe(unknownTimeLeft);
  const none = { secondsLeft: 0, secondsLeftRange: { least: 0, most: 0 } };
  expect(notBefore(none, 100)).toBe(none);
});

test('a run of which half took ten seconds is not said to be done in ten while fifty others wait', () => {
  const id = 'ab'.repeat(32);
  const taskOf = (key: number): Task => ({ run: id, kind: 'train', key: String(key) });
  const kinds = [{ kind: 'train', pool: 'worker', state: 'training', folder: 'conditionals', counted: 'dimensions' }];
  const tasks: Plan['tasks'] = [0, 1, 2, 3, 4, 5].map((key) => ({
    ...{ task: taskOf(key), cost: key === 0 ? 5 : 1, detail: {}, isNew: true },
  }));
  const life = { standing: 'open', epoch: 0 } as unknown as Life;
  const specification = { numericsVersion: 1 };
  const run = new TrackedRun({ kinds } as unknown as Family, { id, specification } as unknown as Run, life);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  run.endLook(life, { tasks, stages: { train: { total: 6, done: 0 } }, complete: [] }, noFailures);
  expect(run.waitingSeconds).toBe(Infinity);
  run.record({ kind: 'active', id: `train-${id}-0` });
  clock.mockReturnValue(10_000);
  const progress = { share: 1, trees: 1, nats: null };
  const result = { progress, seconds: 10, reason: null, waitMilliseconds: 0, outcome: 'stored' } as const;
  run.record({ kind: 'completed', id: `train-${id}-0`, result });
  expect(run.waitingSeconds).toBe(10);
  expect(run.figures().secondsLeft).toBeCloseTo(10);
  run.secondsBesideOthers = secondsBesideOthers(run.waitingSeconds, Array<number>(51).fill(10), 2);
  expect(run.figures().secondsLeft).toBe(255);
  clock.mockRestore();
});
