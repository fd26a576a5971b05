import { describe, expect, it } from 'vitest';
import type { AnsweringProcess } from './answering-process.js';
import { ProcessPool } from './process-pool.js';

/** A pool of which it is known how many processes were started. */
function countedPool(most: number): { readonly pool: ProcessPool; readonly started: () => number } {
  let started = 0;
  return {
    pool: new ProcessPool(most, () => ({ number: started++ }) as unknown as AnsweringProcess),
    started: () => started,
  };
}

const never = new AbortController().signal;
/** Lets everything go on that can. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('commands of an assistant', () => {
  it('run as many at a time as are allowed, and the others after them in order', async () => {
    const { pool, started } = countedPool(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 5 }, (_, at) =>
      pool.with(never, async () => {
        begun.push(at);
        await new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await settled();
    expect(begun).toEqual([0, 1]);
    for (let ended = 0; ended < 5; ended++) {
      ends[ended]!();
      await settled();
      expect(begun).toHaveLength(Math.min(ended + 3, 5));
    }
    await Promise.all(all);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    expect(started()).toBe(2);
  });

  it('give their place away where they fail', async () => {
    const { pool, started } = countedPool(1);
    await expect(pool.with(never, () => Promise.reject(new Error('no rows')))).rejects.toThrow('no rows');
    expect(await pool.with(never, () => Promise.resolve('scored'))).toBe('scored');
    expect(started()).toBe(1);
  });

  it('are not begun where they were cancelled while they waited', async () => {
    const { pool } = countedPool(1);
    let end = (): void => undefined;
    const first = pool.with(never, () => new Promise<void>((resolve) => (end = resolve)));
    const cancelled = new AbortController();
    const second = pool.with(cancelled.signal, () => Promise.resolve('begun'));
    const third = pool.with(never, () => Promise.resolve('third'));
    cancelled.abort(new Error('cancelled'));
    await expect(second).rejects.toThrow('cancelled');
    end();
    await first;
    expect(await third).toBe('third');
  });
});
