import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Call } from './compute.js';
import { written } from './computations.suite.js';
import { keepThreads } from './spare-threads.js';
import { temporaryStore } from '@orchard/storage/testing';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool.js';

const computations = written({
  add: '(input, { thread }) => ({ sum: input.a + input.b, thread })',
  untilCancelled: `async (_, context) => {
    while (!context.isCancelled()) await new Promise((resolve) => setTimeout(resolve, 5));
    return 'cancelled';
  }`,
  attached: '(_, { data }) => data((handle, thread) => ({ handle, thread, at: Math.random() }))',
  fail: '() => { throw Object.assign(new Error("as it wants"), { name: "OwnError" }); }',
  storing: `async ({ name, bytes }, { store }) => {
    await store.put(name, bytes);
    return { own: bytes.length, stored: await store.get(name), missing: await store.head('no/such') };
  }`,
  reading: '(name, { store }) => store.get(name)',
  die: '() => process.exit(1)',
  forEver: '() => { for (;;); }',
});

// what is counted here are threads that start
keepThreads(0);

async function startPool(
  threads: number,
  options: Partial<ThreadPoolOptions> = {},
): Promise<{ pool: ThreadPool; call: Call; workers: Worker[] }> {
  const workers: Worker[] = [];
  const collect = (worker: Worker): void => void workers.push(worker);
  process.on('worker', collect);
  onTestFinished(() => void process.off('worker', collect));
  const pool = await ThreadPool.start({ store: temporaryStore(), threads, kernel: 'reference', ...options });
  onTestFinished(() => pool.close());
  return { pool, call: pool.call(computations), workers };
}

/** Until this is called no thread can start: as where there is no memory for one. */
function preventThreads(): () => void {
  const before = process.env.NODE_OPTIONS;
  process.env.NODE_OPTIONS = `${before ?? ''} --require=/no/such/file.cjs`;
  const allow = (): void => {
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  };
  onTestFinished(allow);
  return allow;
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 10) {
    expect(waited).toBeLessThan(30_000);
    await sleep(10);
  }
}

describe('threads that are kept', () => {
  test('serve the next pool, with its store and its data, and end when no pool comes', async () => {
    keepThreads(300);
    onTestFinished(() => keepThreads(0));
    const { pool, workers } = await startPool(2);
    const attachedTo = (handle: string, to: ThreadPool) =>
      to.share(handle, 2).call(computations)<{ handle: string; at: number }>('attached', null);
    const first = await attachedTo('first', pool);
    await pool.close();
    const next = await startPool(2);
    expect([workers.length, next.workers.length]).toEqual([2, 0]);
    const second = await attachedTo('second', next.pool);
    expect([first.handle, second.handle]).toEqual(['first', 'second']);
    await next.call('storing', { name: 'some/name', bytes: new Uint8Array(3) });
    await next.pool.close();
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
    expect((await startPool(1)).workers).toHaveLength(1);
  });

  test('are idle: one that computes ends with its pool, and one that died serves no other', async () => {
    keepThreads(60_000);
    onTestFinished(() => keepThreads(0));
    const busy = await startPool(1);
    const interrupted = expect(busy.call('untilCancelled', null)).rejects.toMatchObject({ code: 'interrupted' });
    await busy.pool.close();
    await interrupted;
    const idle = await startPool(1);
    expect(idle.workers).toHaveLength(1);
    await idle.pool.close();
    await idle.workers[0]!.terminate();
    const next = await startPool(1);
    expect(next.workers).toHaveLength(1);
    await next.pool.close();
    keepThreads(0);
    expect((await startPool(1)).workers).toHaveLength(1);
  });
});

describe('a thread', () => {
  test('runs functions of a module that is named with each call, and keeps to its number', async () => {
    const { pool, call } = await startPool(2);
    const sums = await Promise.all([1, 2, 3, 4].map((a) => call<{ sum: number; thread: number }>('add', { a, b: 1 })));
    expect(sums.map(({ sum }) => sum)).toEqual([2, 3, 4, 5]);
    expect(new Set(sums.map(({ thread }) => thread))).toEqual(new Set([0, 1]));
    const others = written({ add: '({ a, b }) => a * b' });
    expect(await pool.call(others)('add', { a: 6, b: 7 })).toBe(42);
  });

  test('says what a computation threw, with its cause, and takes the next', async () => {
    const { call, workers } = await startPool(1);
    await expect(call('fail', null)).rejects.toMatchObject({
      code: 'training-failed',
      got: 'as it wants',
      cause: { name: 'OwnError' },
    });
    expect(await call('add', { a: 1, b: 1 })).toMatchObject({ sum: 2 });
    expect(workers).toHaveLength(1);
  });

  test('refuses what cannot be posted, and takes the next', async () => {
    const { call } = await startPool(1);
    const before = call('add', { a: 0, b: 1 });
    const refused = expect(call('add', { a: () => 1 })).rejects.toMatchObject({ code: 'training-failed' });
    const behind = call('add', { a: 1, b: 1 });
    expect(await before).toMatchObject({ sum: 1 });
    await refused;
    expect(await behind).toMatchObject({ sum: 2 });
  });

  test('reads and writes the store of the thread that started it, and is told its refusals by their codes', async () => {
    const store = temporaryStore();
    const { call } = await startPool(1, { store });
    const bytes = new Uint8Array([1, 2, 3]);
    expect(await call('storing', { name: 'a/b', bytes })).toEqual({ own: 3, stored: bytes, missing: null });
    expect(await store.get('a/b')).toEqual(bytes);
    await expect(call('storing', { name: 'a/b', bytes: new Uint8Array([4]) })).rejects.toMatchObject({
      code: 'conflict',
      retryable: false,
    });
    await expect(call('reading', 'no/such')).rejects.toMatchObject({ code: 'missing' });
  });

  test('attaches to shared data once', async () => {
    const { pool } = await startPool(1);
    const call = pool.share('the handle', 1).call(computations);
    const first = await call('attached', null);
    expect(first).toMatchObject({ handle: 'the handle', thread: 0 });
    expect(await call('attached', null)).toEqual(first);
    expect(await pool.share('another', 1).call(computations)('attached', null)).toMatchObject({ handle: 'another' });
  });
});

describe('data with fewer workspaces than there are threads', () => {
  test('is computed on by the threads that have one, while the others do what needs no data', async () => {
    const { pool, call } = await startPool(3);
    const narrow = pool.share('narrow', 1).call(computations);
    const found = await Promise.all([1, 2, 3, 4, 5, 6].map(() => narrow<{ thread: number }>('attached', null)));
    expect(found.map(({ thread }) => thread)).toEqual([0, 0, 0, 0, 0, 0]);
    const stop = new AbortController();
    const held = narrow('untilCancelled', null, { signal: stop.signal });
    const waiting = narrow<{ thread: number }>('attached', null);
    const free = await Promise.all([1, 2].map(() => call<{ thread: number }>('add', { a: 1, b: 1 })));
    for (const { thread } of free) expect(thread).toBeGreaterThan(0);
    stop.abort();
    expect(await held).toBe('cancelled');
    expect((await waiting).thread).toBe(0);
  });

  test('is computed on again when the one thread that has one was lost', async () => {
    const { pool, workers } = await startPool(2);
    const narrow = pool.share('narrow', 1).call(computations);
    const lost = expect(narrow('untilCancelled', null)).rejects.toMatchObject({ code: 'thread-lost' });
    const waiting = narrow('attached', null);
    await sleep(50);
    await workers[0]!.terminate();
    await lost;
    expect(await waiting).toMatchObject({ handle: 'narrow', thread: 0 });
  });
});

describe('a pool whose last thread dies', () => {
  test('answers what waits with thread-lost where no other can start, and computes again when one can', async () => {
    const losses: unknown[] = [];
    const { pool, call } = await startPool(1, { onThreadLost: (error) => losses.push(error) });
    const allow = preventThreads();
    const dying = expect(call('die', null)).rejects.toMatchObject({ code: 'thread-lost', retryable: true });
    const waiting = expect(call('add', { a: 1, b: 1 })).rejects.toMatchObject({ code: 'thread-lost', retryable: true });
    await dying;
    await waiting;
    expect(pool.alive).toBe(0);
    expect(losses).toHaveLength(1);
    allow();
    expect(await call('add', { a: 1, b: 2 })).toMatchObject({ sum: 3 });
    expect(pool.alive).toBe(1);
  });

  test('tries again and again, and answers each time', async () => {
    const losses: unknown[] = [];
    const { call } = await startPool(1, { onThreadLost: (error) => losses.push(error) });
    const allow = preventThreads();
    await expect(call('die', null)).rejects.toMatchObject({ code: 'thread-lost' });
    await until(() => losses.length === 1);
    await expect(call('add', { a: 1, b: 1 })).rejects.toMatchObject({ code: 'thread-lost' });
    expect(losses).toHaveLength(2);
    allow();
    expect(await call('add', { a: 1, b: 1 })).toMatchObject({ sum: 2 });
  }, 60_000);

  test('can be closed meanwhile, at once, and says no more', async () => {
    const losses: unknown[] = [];
    const { pool, call } = await startPool(1, { onThreadLost: (error) => losses.push(error) });
    preventThreads();
    await expect(call('die', null)).rejects.toMatchObject({ code: 'thread-lost' });
    await until(() => losses.length === 1);
    const waiting = expect(call('add', { a: 1, b: 1 })).rejects.toMatchObject({ code: 'interrupted' });
    await pool.close();
    await waiting;
    expect(losses).toHaveLength(1);
  });
});

describe('a pool that loses one of its threads', () => {
  test('goes on with the others where it cannot be replaced, and says how many live', async () => {
    const losses: unknown[] = [];
    const { pool, call } = await startPool(2, { onThreadLost: (error) => losses.push(error) });
    const allow = preventThreads();
    const [died, sum] = await Promise.allSettled([call('die', null), call('add', { a: 1, b: 1 })]);
    expect(died).toMatchObject({ reason: { code: 'thread-lost' } });
    expect(sum).toMatchObject({ value: { sum: 2 } });
    await until(() => losses.length > 0);
    expect(pool.alive).toBe(1);
    const sums = await Promise.all([1, 2, 3].map((a) => call<{ thread: number }>('add', { a, b: 1 })));
    expect(new Set(sums.map(({ thread }) => thread)).size).toBe(1);
    allow();
    await until(() => pool.alive === 2);
  });

  test('answers calls on data that no living thread has a workspace in', async () => {
    const { pool, call, workers } = await startPool(2);
    const narrow = pool.share('narrow', 1).call(computations);
    preventThreads();
    await workers[0]!.terminate();
    await expect(narrow('attached', null)).rejects.toMatchObject({ code: 'thread-lost' });
    expect(await call('add', { a: 1, b: 1 })).toMatchObject({ sum: 2, thread: 1 });
  });
});

test('a pool of which a thread cannot start is refused, and leaves none behind', async () => {
  preventThreads();
  await expect(startPool(2)).rejects.toMatchObject({ code: 'thread-lost' });
});

test('a pool that is closed while a thread is being replaced says nothing of a thread that was lost', async () => {
  const losses: unknown[] = [];
  const { pool, call, workers } = await startPool(1, { onThreadLost: (error) => losses.push(error) });
  await expect(call('die', null)).rejects.toMatchObject({ code: 'thread-lost' });
  await until(() => workers.length === 2);
  await pool.close();
  await sleep(50);
  expect(losses).toEqual([]);
});

test('a call that looks for no sign is ended with its thread, and what waits is computed by the next', async () => {
  const { call, workers } = await startPool(1);
  const gone = new AbortController();
  const left = call('forEver', null, { signal: gone.signal, endedAfterMilliseconds: 10 });
  const waiting = call('add', { a: 1, b: 2 });
  gone.abort();
  await expect(left).rejects.toMatchObject({ code: 'interrupted', got: 'a task that was cancelled' });
  expect(await waiting).toMatchObject({ sum: 3 });
  // one that ends in time keeps its thread
  const stop = new AbortController();
  const held = call('untilCancelled', null, { signal: stop.signal, endedAfterMilliseconds: 10_000 });
  stop.abort();
  expect(await held).toBe('cancelled');
  expect(await call('add', { a: 2, b: 2 })).toMatchObject({ sum: 4 });
  expect(workers).toHaveLength(2);
});
