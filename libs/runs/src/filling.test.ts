import type { JobQueues } from '@orchard/queue';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Filling } from './filling.js';

let fills: number;
let filling: Filling;
beforeEach(() => {
  vi.useFakeTimers();
  fills = 0;
  const queues = { add: () => Promise.resolve(void fills++) } as unknown as JobQueues;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  filling = new Filling({ queues, log, observer: {} }, new Map(), 64, 5000);
});
afterEach(() => vi.useRealTimers());

test('a burst of completions fills the queue once', async () => {
  filling.start();
  for (let completion = 0; completion < 100; completion++) filling.soon();
  await vi.advanceTimersByTimeAsync(100);
  expect(fills).toBe(1);
  filling.soon();
  await vi.advanceTimersByTimeAsync(100);
  expect(fills).toBe(2);
});

test('stopped while one is due it fills no more, and started again it does', async () => {
  filling.start();
  filling.soon();
  filling.stop();
  filling.soon();
  await vi.advanceTimersByTimeAsync(100);
  expect(fills).toBe(0);
  filling.start();
  filling.soon();
  await vi.advanceTimersByTimeAsync(100);
  expect(fills).toBe(1);
});
