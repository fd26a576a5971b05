import type { WorkerPresence } from '@orchard/queue';
import { expect, test } from 'vitest';
import { placementOf } from './placement.js';
import type { TrackedRun } from './tracked-run.js';

const worker = (memoryBytes: number, more: Partial<WorkerPresence> = {}): WorkerPresence => ({
  ...{ id: String(memoryBytes), pool: 'worker', threads: 1, active: 0, memoryBytes, refused: {}, notice: null },
  takesLarge: true,
  ...more,
});
const run = (id: string, needsBytes: number | null) => ({ run: { id }, needsBytes }) as unknown as TrackedRun;

test('what some workers cannot hold goes to those that can hold the largest of it', () => {
  const runs = [run('small', 10), run('middle', 30), run('large', 70), run('none', 500), run('unknown', null)];
  const placement = placementOf(runs, [worker(20), worker(50), worker(100)]);
  expect(placement.largeBytes).toBe(70);
  expect(runs.filter((one) => placement.isLarge(one)).map((one) => one.run.id)).toEqual(['middle', 'large']);
});

test.each([
  ['where all workers can hold it', [worker(50), worker(100)]],
  ['without a worker', []],
  ['where those that can hold it are set aside', [worker(20), worker(100, { isAside: true })]],
  ['where those that can hold it are of an earlier release', [worker(20), worker(100, { takesLarge: false })]],
])('nothing is placed %s', (_, workers) => {
  const placement = placementOf([run('middle', 30)], workers);
  expect(placement.largeBytes).toBeNull();
});
