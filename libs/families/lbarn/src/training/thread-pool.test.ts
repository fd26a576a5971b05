import { TrainingData } from '@orchard/kernel';
import { keepThreads, ThreadPool, type SharedData } from '@orchard/pipeline';
import { temporaryStore } from '@orchard/storage/testing';
import type { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dependentRows } from '../example.suite.js';
import { lbarn } from '../lbarn.js';
import { trainerBy, type ConditionalTask, type Trainer } from './trainer.js';

const options = {
  leaves: 4,
  rounds: 5,
  shrinkage: 0.1,
  start: 'half',
  minLeafWeight: 0,
  maxLeafValue: Infinity,
  l2: 0,
  featureFraction: 1,
  patience: 0,
  seed: 0,
} as const;

const task = (position: number, rounds: number = options.rounds): ConditionalTask => ({
  stage: 'train',
  dimension: position,
  position,
  options: { ...options, rounds },
  checkpoint: null,
});

/** Hours of work: tests stop it. */
const endless = (position: number): ConditionalTask => task(position, 100_000);

// what is counted here are threads that start
keepThreads(0);

async function startPool(threads: number): Promise<{ pool: ThreadPool; workers: Worker[] }> {
  const workers: Worker[] = [];
  const collect = (worker: Worker): void => void workers.push(worker);
  process.on('worker', collect);
  onTestFinished(() => void process.off('worker', collect));
  const pool = await ThreadPool.start({ store: temporaryStore(), threads });
  onTestFinished(() => pool.close());
  return { pool, workers };
}

function data(threads: number, seed = 1): TrainingData {
  const splits = { train: dependentRows(2000, 20, seed), valid: dependentRows(50, 20, seed + 1), test: null };
  return TrainingData.arrange(splits, { threads, leaves: 4 });
}

/** The data in all threads of a pool, and who trains on it. */
function open(
  pool: ThreadPool,
  { handle }: TrainingData,
  threads = pool.threads,
): Trainer & Pick<SharedData, 'release'> {
  const shared = pool.share(handle, threads);
  return {
    ...trainerBy(shared.call(lbarn.computations)),
    release: () => {
      shared.release();
    },
  };
}

describe('a pool of threads', () => {
  test('serves two data sets in turn, and forgets one that is released', async () => {
    const { pool } = await startPool(1);
    const [first, second] = [open(pool, data(1, 1)), open(pool, data(1, 5))];
    const [a, b, again] = await Promise.all([first.run(task(7)), second.run(task(7)), first.run(task(7))]);
    expect(again.bytes).toEqual(a.bytes);
    expect(b.bytes).not.toEqual(a.bytes);
    first.release();
    await expect(first.run(task(7))).rejects.toMatchObject({ code: 'interrupted' });
    expect((await second.run(task(7))).bytes).toEqual(b.bytes);
  });

  test('stops a running task within 200 ms of a cancellation, with a checkpoint, and one that waits without', async () => {
    const { pool } = await startPool(1);
    const trainer = open(pool, data(1));
    const cancelOnce = async (): Promise<number> => {
      const stop = new AbortController();
      let progressed = (): void => undefined;
      const underWay = new Promise<void>((resolve) => (progressed = resolve));
      const running = trainer.run(endless(9), { signal: stop.signal, onProgress: () => progressed() });
      const waiting = trainer.run(task(3), { signal: stop.signal });
      const refused = expect(waiting).rejects.toMatchObject({ code: 'interrupted', retryable: true });
      await underWay;
      const asked = performance.now();
      stop.abort();
      const outcome = await running;
      const milliseconds = performance.now() - asked;
      expect(outcome.finished).toBe(false);
      expect(outcome.rounds).toBeGreaterThan(0);
      await refused;
      return milliseconds;
    };
    // the best of three: what else the machine does is no part of the promise
    expect(Math.min(await cancelOnce(), await cancelOnce(), await cancelOnce())).toBeLessThan(200);
    expect((await trainer.run(task(3))).finished).toBe(true);
  });

  test('says what went wrong in a thread, which goes on to its next task', async () => {
    const { pool, workers } = await startPool(1);
    const trainer = open(pool, data(1));
    await expect(trainer.run({ ...task(3), options: { ...options, shrinkage: 7 } })).rejects.toMatchObject({
      code: 'training-failed',
      retryable: false,
      got: '7',
      where: expect.stringContaining('dimension 3') as string,
      cause: {
        code: 'invalid-option',
        stack: expect.stringMatching(/libs\/learning\/logitboost\/src\/[\w-]+\.ts:\d+/) as string,
      },
    });
    expect((await trainer.run(task(3))).finished).toBe(true);
    expect(workers).toHaveLength(1);
    const unsuited = await startPool(2);
    const shared = open(unsuited.pool, data(1));
    const both = await Promise.allSettled([
      shared.run(endless(1), { signal: AbortSignal.timeout(300) }),
      shared.run(task(2)),
    ]);
    expect(both[1]).toMatchObject({ reason: { code: 'training-failed', got: 'thread 1' } });
  });

  test('refuses a count of threads that is none', async () => {
    const store = temporaryStore();
    for (const threads of [0, -1, 1.5, NaN, 5000]) {
      await expect(ThreadPool.start({ store, threads })).rejects.toMatchObject({
        code: 'bad-request',
        where: 'threads',
      });
    }
  });
});
