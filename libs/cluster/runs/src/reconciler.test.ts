import { Families } from '@orchard/pipeline';
import type { JobQueues } from '@orchard/queue';
import type { ObjectStore } from '@orchard/storage';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Attempts } from './attempts.js';
import type { Marks } from './marks.js';
import type { Server } from './reach.js';
import { StoreReconciler } from './reconciler.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const logged: string[] = [];
const log = {
  info: () => undefined,
  warn: ({ err }: { err?: unknown }) => void logged.push(String(err)),
  error: () => undefined,
};
const queues = {
  onEvent: () => () => undefined,
  workers: () => Promise.resolve([]),
  jobs: () => Promise.resolve([]),
  isPaused: () => Promise.resolve(false),
  add: () => Promise.resolve(),
  setLanes: () => Promise.resolve([]),
  release: () => Promise.resolve([]),
} as unknown as JobQueues;

/** A reconciler of no runs; `open` is what a pass begins with. */
function reconcilerOf(open: () => Promise<string[]>, store?: Server): StoreReconciler {
  const marks = { open, areEndsNamed: true } as unknown as Marks;
  const ports = {
    queues,
    marks,
    log,
    families: new Families([]),
    observer: {},
    sheets: { of: () => Promise.resolve(null) },
  };
  return new StoreReconciler({ ...ports, store: {} as ObjectStore, attempts: {} as Attempts }, { servers: { store } });
}
const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('a pass that failed after a minute is followed by another within 10 s, and until then its failure is a notice', async () => {
  const begun: number[] = [];
  const start = Date.now();
  const reconciler = reconcilerOf(async () => {
    begun.push(Date.now() - start);
    if (begun.length > 1) return [];
    await after(60_000);
    throw new Error('no answer of the store');
  });
  reconciler.start();
  await vi.advanceTimersByTimeAsync(60_100);
  expect(reconciler.outages()).toMatchObject([
    { code: 'not-reconciled', message: 'The coordinator could not look at its runs: no answer of the store' },
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun[1]! - 60_000).toBeLessThanOrEqual(10_000);
  expect(reconciler.outages()).toEqual([]);
  await reconciler.stop();
});

test('a failure that goes on is logged once a minute, and one of other words at once', async () => {
  let why = 'no answer of the store';
  const reconciler = reconcilerOf(() => Promise.reject(new Error(why)));
  reconciler.start();
  logged.length = 0;
  await vi.advanceTimersByTimeAsync(59_000);
  expect(logged).toEqual([`Error: ${why}`]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(logged).toHaveLength(2);
  why = 'Redis refuses';
  await vi.advanceTimersByTimeAsync(10_000);
  expect(logged.slice(2)).toEqual(['Error: Redis refuses']);
  await reconciler.stop();
});

test('a pass of a minute is followed by a pause of a minute at most', async () => {
  const begun: number[] = [];
  const reconciler = reconcilerOf(async () => {
    begun.push(Date.now());
    await after(60_000);
    return [];
  });
  reconciler.start();
  await vi.advanceTimersByTimeAsync(125_000);
  expect(begun).toHaveLength(2);
  const stopped = reconciler.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  await stopped;
});

test('a store that is away is a notice at once, and a pass follows as soon as it is back', async () => {
  let outage: Server['outage'] = null;
  let changed = (): void => undefined;
  const store: Server = {
    get outage() {
      return outage;
    },
    onChange: (listener) => {
      changed = listener;
    },
  };
  let passes = 0;
  const reconciler = reconcilerOf(() => {
    passes += 1;
    return outage === null ? Promise.resolve([]) : Promise.reject(new Error('refused'));
  }, store);
  reconciler.start();
  await vi.advanceTimersByTimeAsync(100);
  expect([passes, reconciler.outages()]).toEqual([1, []]);
  expect(reconciler.startOf('a run')).toMatchObject({ threads: 0 });
  outage = { since: 0, reason: 'no answer within 2 s' };
  changed();
  expect(reconciler.outages()).toEqual([
    {
      code: 'store-away',
      message:
        'The coordinator cannot reach object storage: no answer within 2 s. Runs continue when it answers again.',
      since: '1970-01-01T00:00:00.000Z',
    },
  ]);
  // that no worker is there is not known
  expect(reconciler.startOf('a run')).toBeNull();
  outage = null;
  changed();
  await vi.advanceTimersByTimeAsync(1);
  expect([passes, reconciler.outages()]).toEqual([2, []]);
  await reconciler.stop();
});
