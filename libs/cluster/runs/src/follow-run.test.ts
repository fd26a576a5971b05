import { runIdOf, type RunStatus } from '@orchard/contracts';
import { Families, type Family, type Plan, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { Attempts, noFailures } from './attempts.js';
import { followRun } from './follow-run.js';
import { Marks } from './marks.js';
import type { StoreReconciler } from './reconciler.js';
import { RunStatuses } from './run-statuses.js';
import { TrackedRun } from './tracked-run.js';
import { specificationOf } from './specification.suite.js';

const specification = specificationOf(1);
const choice = { selection: 'linearized', refit: true } as const;
const kinds = [
  { kind: 'train', pool: 'worker', state: 'training', folder: 'conditionals', counted: 'dimensions' },
] as const;
const family = { name: 'lbarn', kinds } as unknown as Family;
const facts = { id: specification.train, rows: 4, dimensions: 3, names: null, shape: null };
const run: Run = {
  id: runIdOf(specification),
  family: 'lbarn',
  specification,
  datasets: { train: facts, valid: facts, test: null },
};

/** What is looked at again and again: a run that stays as it is. */
function follow(
  onLook: () => void,
  reconciler: Pick<StoreReconciler, 'onChange' | 'tracked' | 'outages' | 'deletionOf'>,
  signal: AbortSignal,
): AsyncGenerator<RunStatus> {
  const store = {} as ObjectStore;
  const [marks, attempts] = [new Marks(store), new Attempts(store)];
  const statuses = new RunStatuses({
    ...{ store, families: new Families([family]), marks, attempts, reconciler },
    sheets: { ofAll: () => Promise.resolve(new Map()) },
  });
  vi.spyOn(statuses, 'status').mockImplementation(() => {
    onLook();
    return Promise.resolve({ state: 'training' } as RunStatus);
  });
  return followRun(statuses, reconciler, 'run', signal);
}

afterEach(() => vi.useRealTimers());

test('a stream that is followed for minutes listens to its signal no more than in its first second', async () => {
  vi.useFakeTimers();
  const gone = new AbortController();
  const listeners: number[] = [];
  const elsewhere = { onChange: () => () => undefined, tracked: () => null, outages: () => [], deletionOf: () => null };
  const stream = follow(() => listeners.push(getEventListeners(gone.signal, 'abort').length), elsewhere, gone.signal);
  await stream.next();
  const following = stream.next();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(listeners.length).toBeGreaterThan(50);
  expect(new Set(listeners)).toEqual(new Set([1]));
  gone.abort();
  expect((await following).done).toBe(true);
  expect(getEventListeners(gone.signal, 'abort')).toEqual([]);
});

test('a run that this process sees to is looked up in the store every few seconds, not at every change', async () => {
  vi.useFakeTimers();
  const gone = new AbortController();
  const life = {
    standing: 'open',
    epoch: 0,
    specification,
    choices: [choice],
    choice,
    submittedAt: '',
    reason: null,
    damaged: [],
  } as const;
  const tracked = new TrackedRun(family, run, life);
  const task = { run: run.id, kind: 'train', key: '1' };
  const plan: Plan = {
    tasks: [{ task, cost: 1, detail: {}, isNew: true }],
    stages: { train: { total: 3, done: 2 } },
    complete: [],
  };
  tracked.endLook(life, plan, noFailures);
  let [trees, step] = [0, 0];
  const onChange = (listener: (run: string) => void): (() => void) => {
    const timer = setInterval(() => {
      // faster and faster, so that no two moments look the same
      trees += ++step;
      tracked.record({ kind: 'progress', id: `train-${run.id}-1`, progress: { share: 0.5, trees, nats: null } });
      listener('run');
    }, 100);
    return () => {
      clearInterval(timer);
    };
  };
  let looks = 0;
  const seen: RunStatus[] = [];
  const reading = (async () => {
    for await (const status of follow(
      () => looks++,
      { onChange, tracked: () => tracked, outages: () => [], deletionOf: () => null },
      gone.signal,
    ))
      seen.push(status);
  })();
  await vi.advanceTimersByTimeAsync(60_000);
  gone.abort();
  await vi.advanceTimersByTimeAsync(2_000);
  await reading;
  expect(seen.length).toBeGreaterThan(50);
  const told = seen.filter(({ stages }) => stages !== undefined);
  expect(told.length).toBeGreaterThan(30);
  expect(told.at(-1)).toMatchObject({ state: 'training', stages: { train: { total: 3, done: 2, waiting: 1 } } });
  expect(told.at(-1)!.treesPerSecond).toBeGreaterThan(0);
  expect(looks).toBeGreaterThan(15);
  expect(looks).toBeLessThan(25);
});
