import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Call, Compute, DataRequest } from './compute.js';
import { written } from './computations.suite.js';
import { ResidentData } from './resident-data.js';
import { temporaryStore } from '@orchard/storage/testing';
import { ThreadPool } from './thread-pool.js';

/**
 * Arranging counts, in memory that the test sees: how many were begun, how many are under way, and the most at once.
 */
const computations = written({
  arrange: `async ({ counts, name, fails }) => {
    Atomics.add(counts, 0, 1);
    const under = Atomics.add(counts, 1, 1) + 1;
    if (under > Atomics.load(counts, 2)) Atomics.store(counts, 2, under);
    await new Promise((resolve) => setTimeout(resolve, 30));
    Atomics.sub(counts, 1, 1);
    if (fails) throw new Error('cannot be arranged');
    return name;
  }`,
  handle: '(_, { data }) => data((handle) => handle)',
});

async function open(limit: number): Promise<{ resident: ResidentData; compute: Compute; pool: ThreadPool }> {
  const pool = await ThreadPool.start({ store: temporaryStore(), threads: 3, kernel: 'reference' });
  onTestFinished(() => pool.close());
  const resident = new ResidentData(pool, limit);
  onTestFinished(() => {
    resident.close();
  });
  return { resident, compute: resident.compute(computations), pool };
}

const counted = (): Int32Array => new Int32Array(new SharedArrayBuffer(12));

/** Data of 10 bytes and 10 more a thread. */
function request(
  name: string,
  counts: Int32Array,
  { fails = false, most = 3 } = {},
): DataRequest & { asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    key: name,
    asked,
    fit: (threads, bytes) => {
      asked.push([threads, bytes]);
      const fitting = Math.max(1, Math.min(threads, most, Math.floor((bytes - 10) / 10)));
      return { threads: fitting, bytes: 10 + 10 * fitting };
    },
    arrange: (threads) => {
      asked.push(threads);
      return { name: 'arrange', input: { counts, name, fails } };
    },
  };
}

const handle = (call: Call): Promise<string> => call<string>('handle', null);

describe('whether there is room', () => {
  test('is decided from facts: what does not fit on one thread is refused before anything is loaded', async () => {
    const { resident, compute } = await open(19);
    const [counts, large] = [counted(), request('large', counted())];
    await expect(compute.withData(large, handle)).rejects.toMatchObject({
      name: 'NoRoom',
      needs: 20,
      isPassing: false,
    });
    expect(large.asked).toEqual([[3, 19]]);
    expect([...counts]).toEqual([0, 0, 0]);
    expect(resident.bytes).toBe(0);
  });

  test('is made for as many threads as fit', async () => {
    const { resident, compute } = await open(35);
    const counts = counted();
    const wide = request('wide', counts);
    expect(await compute.withData(wide, handle)).toBe('wide');
    expect(wide.asked).toEqual([[3, 35], 2]);
    expect(resident.bytes).toBe(30);
  });

  test('is less while something else of the program takes some, for which unused data are let go', async () => {
    const { resident, compute } = await open(45);
    const counts = counted();
    await compute.withData(request('first', counts, { most: 2 }), handle);
    expect(resident.bytes).toBe(30);
    resident.setBeside(20);
    expect(resident.bytes).toBe(20);
    const second = compute.withData(request('second', counts, { most: 2 }), handle);
    await expect(second).rejects.toMatchObject({ needs: 30, isPassing: true });
    resident.setBeside(0);
    expect(await compute.withData(request('second', counts, { most: 2 }), handle)).toBe('second');
  });

  test('counts what is being arranged: of two at once that do not fit together one waits', async () => {
    const { compute } = await open(45);
    const counts = counted();
    const first = compute.withData(request('first', counts, { most: 2 }), handle);
    const second = compute.withData(request('second', counts, { most: 2 }), handle);
    await expect(second).rejects.toMatchObject({ name: 'NoRoom', needs: 30, isPassing: true });
    expect(await first).toBe('first');
    expect(await compute.withData(request('second', counts, { most: 2 }), handle)).toBe('second');
    expect(counts[0]).toBe(2);
  });
});

describe('data', () => {
  test('is arranged one at a time, each takes its rows in memory once more', async () => {
    const { compute } = await open(1000);
    const counts = counted();
    const names = ['a', 'b', 'c', 'd'];
    expect(await Promise.all(names.map((name) => compute.withData(request(name, counts), handle)))).toEqual(names);
    expect([...counts]).toEqual([4, 0, 1]);
  });

  test('of one key is arranged once for all who ask', async () => {
    const { compute } = await open(1000);
    const counts = counted();
    await Promise.all([1, 2, 3].map(() => compute.withData(request('same', counts), handle)));
    expect(counts[0]).toBe(1);
  });

  test('that cannot be arranged takes no room, stops nobody else, and is tried again', async () => {
    const { resident, compute } = await open(1000);
    const counts = counted();
    const broken = compute.withData(request('broken', counts, { fails: true }), handle);
    const other = compute.withData(request('other', counts), handle);
    await expect(broken).rejects.toMatchObject({ code: 'training-failed', got: 'cannot be arranged' });
    expect(await other).toBe('other');
    expect(resident.bytes).toBe(40);
    expect(await compute.withData(request('broken', counts), handle)).toBe('broken');
  });

  test('that nobody uses is let go after a while, data in use is not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { resident, compute } = await open(1000);
    const counts = counted();
    await compute.withData(request('idle', counts), handle);
    await compute.withData(request('used', counts), async (call) => {
      vi.advanceTimersByTime(100_000);
      expect(resident.bytes).toBe(40);
      expect(await handle(call)).toBe('used');
    });
    vi.advanceTimersByTime(50_000);
    expect(resident.bytes).toBe(40);
    vi.advanceTimersByTime(50_000);
    expect(resident.bytes).toBe(0);
  });

  test('is not let go between being arranged and being used', async () => {
    const { compute } = await open(45);
    const counts = counted();
    const users = [1, 2, 3].map(() => compute.withData(request('first', counts, { most: 2 }), handle));
    const others = Promise.allSettled(
      Array.from({ length: 20 }, async (_, turn) => {
        await new Promise((resolve) => setTimeout(resolve, 2 * turn));
        return compute.withData(request('second', counts, { most: 2 }), handle);
      }),
    );
    expect(await Promise.all(users)).toEqual(['first', 'first', 'first']);
    await others;
  });
});

test('a task that was cancelled leaves no listener on its signal', async () => {
  const { compute } = await open(1000);
  const { signal } = new AbortController();
  await compute.withData(request('data', counted()), (call) => call('handle', null, { signal }));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
