import type { JobQueues } from '@orchard/queue';
import type { ObjectStore } from '@orchard/storage';
import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import type { Attempts } from './attempts.js';
import type { Marks } from './marks.js';
import type { OpenRun } from './open-run.js';
import type { StoreReconciler } from './reconciler.js';
import type { RunStatus } from './run-status.js';
import { StoreRunLife } from './store-runs.js';

/** A run that stays as it is, whose stream looks at it again and again. */
function stillRun(onLook: () => void, reconciler: Pick<StoreReconciler, 'onChange' | 'openRun'>): StoreRunLife {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const [store, queues] = [{} as ObjectStore, {} as JobQueues];
  const life = new StoreRunLife({
    store,
    queues,
    marks: {} as Marks,
    attempts: {} as Attempts,
    reconciler: reconciler as StoreReconciler,
    log,
  });
  vi.spyOn(life, 'status').mockImplementation(() => {
    onLook();
    return Promise.resolve({ state: 'training' } as RunStatus);
  });
  return life;
}

afterEach(() => vi.useRealTimers());

test('a stream that is followed for minutes listens to its signal no more than in its first second', async () => {
  vi.useFakeTimers();
  const gone = new AbortController();
  const listeners: number[] = [];
  const elsewhere = { onChange: () => () => undefined, openRun: () => null };
  const life = stillRun(() => listeners.push(getEventListeners(gone.signal, 'abort').length), elsewhere);
  const stream = life.events('run', gone.signal)[Symbol.asyncIterator]();
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
  let told = 0;
  const open = {
    life: { standing: 'open', choices: [], submittedAt: '', choice: null, reason: null, specification: null },
    run: {},
    agenda: { state: 'training', jobs: [], networks: [], stages: {} },
    troubles: { failures: new Map(), quarantined: new Map() },
    missing: new Map(),
    active: new Set(),
    notices: [],
    figures: { treesPerSecond: () => told++, secondsLeft: () => null, logLikelihood: () => -1 },
  } as unknown as OpenRun;
  const onChange = (listener: (run: string) => void): (() => void) => {
    const timer = setInterval(() => {
      listener('run');
    }, 100);
    return () => {
      clearInterval(timer);
    };
  };
  let looks = 0;
  const life = stillRun(() => looks++, { onChange, openRun: () => open });
  const seen: RunStatus[] = [];
  const reading = (async () => {
    for await (const status of life.events('run', gone.signal)) seen.push(status);
  })();
  await vi.advanceTimersByTimeAsync(60_000);
  gone.abort();
  await vi.advanceTimersByTimeAsync(2_000);
  await reading;
  expect(seen.length).toBeGreaterThan(50);
  expect(told).toBeGreaterThan(30);
  expect(looks).toBeGreaterThan(15);
  expect(looks).toBeLessThan(25);
});
