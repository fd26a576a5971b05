import type { JobQueues } from '@orchard/queue';
import type { ObjectStore } from '@orchard/storage';
import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import type { Attempts } from './attempts.js';
import type { Marks } from './marks.js';
import type { StoreReconciler } from './reconciler.js';
import type { RunStatus } from './run-status.js';
import { StoreRunLife } from './store-runs.js';

/** A run that does not change, whose stream looks at it again and again. */
function stillRun(onLook: () => void): StoreRunLife {
  const reconciler = { onChange: () => () => undefined } as unknown as StoreReconciler;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const [store, queues] = [{} as ObjectStore, {} as JobQueues];
  const life = new StoreRunLife({ store, queues, marks: {} as Marks, attempts: {} as Attempts, reconciler, log });
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
  const life = stillRun(() => listeners.push(getEventListeners(gone.signal, 'abort').length));
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
