import type { JobQueues } from '@orchard/queue';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Dispatch, fillWindows } from './dispatch.js';

const claim = (name: string, held: number, left: number): { held: number; next: Iterator<string> } => ({
  held,
  next: Array.from({ length: left }, (_, index) => `${name}${index}`).values(),
});

describe('dispatching', () => {
  let fills: number;
  let dispatch: Dispatch;
  beforeEach(() => {
    vi.useFakeTimers();
    fills = 0;
    const queues = { add: () => Promise.resolve(void fills++) } as unknown as JobQueues;
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    dispatch = new Dispatch({ queues, log, observer: {} }, new Map(), 64, 5000);
  });
  afterEach(() => vi.useRealTimers());

  test('a burst of completions fills the queue once', async () => {
    dispatch.start();
    for (let completion = 0; completion < 100; completion++) dispatch.soon();
    await vi.advanceTimersByTimeAsync(100);
    expect(fills).toBe(1);
    dispatch.soon();
    await vi.advanceTimersByTimeAsync(100);
    expect(fills).toBe(2);
  });

  test('stopped while one is due it fills no more, and started again it does', async () => {
    dispatch.start();
    dispatch.soon();
    dispatch.stop();
    dispatch.soon();
    await vi.advanceTimersByTimeAsync(100);
    expect(fills).toBe(0);
    dispatch.start();
    dispatch.soon();
    await vi.advanceTimersByTimeAsync(100);
    expect(fills).toBe(1);
  });
});

describe('the window of a run', () => {
  test('one run alone has the whole window, in its order', () => {
    expect(fillWindows([claim('a', 3, 100)], 8)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
  });

  test('runs take turns, those that hold less first', () => {
    expect(fillWindows([claim('a', 0, 9), claim('b', 0, 9)], 6)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
    expect(fillWindows([claim('a', 2, 9), claim('b', 0, 9)], 6)).toEqual(['b0', 'a0', 'b1', 'b2']);
  });

  test('a run that begins gets its share at once, though another fills the queue', () => {
    expect(fillWindows([claim('wide', 64, 10_000), claim('small', 0, 16)], 64)).toHaveLength(16);
  });

  test('no run holds more than its window, none that has work left holds less, and nothing is added twice', () => {
    const run = fc.record({ held: fc.nat(40), left: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 80 }), (runs, target) => {
        const window = Math.max(2, Math.ceil(target / runs.length));
        const added = fillWindows(
          runs.map(({ held, left }, index) => claim(`${index}-`, held, left)),
          target,
        );
        expect(new Set(added).size).toBe(added.length);
        for (const [index, { held, left }] of runs.entries()) {
          const own = added.filter((item) => item.startsWith(`${index}-`)).length;
          expect(own).toBe(Math.min(left, Math.max(0, window - held)));
        }
      }),
    );
  });
});
