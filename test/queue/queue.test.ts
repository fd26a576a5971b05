import type { TrainJob } from '@orchard/contracts';
import { HandBack, JobQueues, JobWorker, type HeldWork, type JobEvent, type JobResult } from '@orchard/queue';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRedis, type RedisServer } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';

const run = (): string => randomBytes(32).toString('hex');
const job = (runId: string, dimension: number): TrainJob => ({ stage: 'train', runId, dimension, checkpoint: 0 });
const result: JobResult = { stored: true, rounds: 1, newRounds: 1, bestValid: null, seconds: 0 };

async function until(what: string, holds: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  for (let waited = 0; !(await holds()); waited += 20) {
    if (waited > seconds * 1000) throw new Error(`waited ${seconds} s in vain until ${what}`);
    await sleep(20);
  }
}

describe.skipIf(lacks('redis'))('the queue, on a real Redis', () => {
  let redis: RedisServer;
  let queues: JobQueues;
  let workers: JobWorker[];
  let connection: { url: string; prefix: string };

  beforeAll(async () => {
    redis = await startRedis({ own: true });
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    connection = { url: redis.url, prefix: `{test-${randomBytes(4).toString('hex')}}` };
    queues = await JobQueues.connect(connection);
    workers = [];
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await queues.close();
  });

  async function work(process: (work: HeldWork) => Promise<JobResult>, concurrency = 1): Promise<JobWorker> {
    const worker = await JobWorker.start({
      connection,
      queue: 'conditionals',
      concurrency,
      process,
      // no multiple of anything: intervals that derive from it have to be whole all the same
      lockMilliseconds: 1000.7,
      presence: () => ({ threads: concurrency, memoryBytes: 1e9, refused: {} }),
    });
    workers.push(worker);
    return worker;
  }

  test('jobs come in the order of adding, and are gone when they are done', async () => {
    const seen: number[] = [];
    const runId = run();
    await queues.add([5, 3, 9, 1].map((dimension) => job(runId, dimension)));
    await work(({ job }) => {
      seen.push('dimension' in job ? job.dimension : -1);
      return Promise.resolve(result);
    });
    await until('all are done', () => seen.length === 4);
    expect(seen).toEqual([5, 3, 9, 1]);
    await until('they are gone', async () => (await queues.jobs('conditionals')).length === 0);
  });

  test('a job that is there is not added again; one that is done or failed can be', async () => {
    const runId = run();
    await queues.add([job(runId, 1), job(runId, 1)]);
    await queues.add([job(runId, 1)]);
    expect(await queues.jobs('conditionals')).toHaveLength(1);
    let calls = 0;
    await work(() => (++calls === 1 ? Promise.reject(new Error('no luck')) : Promise.resolve(result)));
    for (const count of [1, 2, 3]) {
      await until(
        `call ${count} is over`,
        async () => calls === count && (await queues.jobs('conditionals')).length === 0,
      );
      await queues.add([job(runId, 1)]);
    }
    await until('the last is over', async () => calls === 4 && (await queues.jobs('conditionals')).length === 0);
  });

  test('events tell of beginnings, progress, ends and failures', async () => {
    const events: JobEvent[] = [];
    queues.onEvent((event) => events.push(event));
    const runId = run();
    await work(async ({ report, job }) => {
      if (!('dimension' in job) || job.runId !== runId) return result;
      const id = `train-${runId}-${job.dimension}`;
      report({ rounds: 7, newRounds: 7, bestValid: -1.5 });
      await until('its progress is heard', () => events.some((event) => event.kind === 'progress' && event.id === id));
      if (job.dimension === 2) throw new Error('no luck');
      return { ...result, rounds: 9 };
    });
    // events are heard from some moment on: until then other runs have jobs
    await until('an event is heard', async () => {
      await queues.add([job(run(), 1)]);
      return events.length > 0;
    });
    await queues.add([job(runId, 1), job(runId, 2)]);
    await until('both ended', () => events.some(({ kind }) => kind === 'failed'));
    const [first, second] = [`train-${runId}-1`, `train-${runId}-2`];
    expect(events).toContainEqual({ kind: 'active', id: first });
    expect(events).toContainEqual({
      kind: 'progress',
      id: first,
      progress: { rounds: 7, newRounds: 7, bestValid: -1.5 },
    });
    expect(events).toContainEqual({ kind: 'completed', id: first, result: { ...result, rounds: 9 } });
    expect(events).toContainEqual({ kind: 'failed', id: second, reason: 'no luck' });
  });

  test('a stop request aborts the jobs of that run alone, and a job that is handed back comes again', async () => {
    const [stopped, other] = [run(), run()];
    const aborted: string[] = [];
    const first: boolean[] = [];
    let began = 0;
    await work(async ({ job, signal, isFirst }) => {
      began++;
      first.push(isFirst);
      await Promise.race([sleep(1500), new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      if (!signal.aborted) return result;
      aborted.push(job.runId);
      throw new HandBack(100);
    }, 2);
    await queues.add([job(stopped, 1), job(other, 1)]);
    await until('both began', () => began === 2);
    const asked = Date.now();
    await queues.requestStop(stopped);
    await until('one was stopped', () => aborted.length === 1);
    expect(Date.now() - asked).toBeLessThan(1000);
    await until('it came again', () => began === 3);
    expect(aborted).toEqual([stopped]);
    expect(first).toEqual([true, true, false]);
  });

  test('close hands back at once what is in hand, for others', async () => {
    const hang = async ({ signal }: HeldWork): Promise<JobResult> => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new HandBack();
    };
    const first = await work(hang);
    await queues.add([job(run(), 1)]);
    await until('it is taken', () => first.active === 1);
    await first.close();
    expect((await queues.jobs('conditionals')).map(({ state }) => state)).toEqual(['waiting']);
    const taken: boolean[] = [];
    await work(({ isFirst }) => {
      taken.push(isFirst);
      return Promise.resolve(result);
    });
    await until('it is taken again', () => taken.length === 1);
    expect(taken).toEqual([false]);
  });

  test('waiting jobs can be removed, the one in hand stays', async () => {
    let release: (() => void) | undefined;
    const worker = await work(() => new Promise((resolve) => (release = () => resolve(result))));
    const runId = run();
    await queues.add([1, 2, 3].map((dimension) => job(runId, dimension)));
    await until('one is taken', () => worker.active === 1);
    await queues.remove(
      'conditionals',
      [1, 2, 3].map((dimension) => `train-${runId}-${dimension}`),
    );
    expect((await queues.jobs('conditionals')).map(({ state }) => state)).toEqual(['active']);
    release!();
  });

  test('workers are known while they live', async () => {
    const worker = await work(() => Promise.resolve(result), 3);
    await until('it is known', async () => (await queues.workers()).length === 1);
    expect(await queues.workers()).toEqual([{ id: worker.id, threads: 3, active: 0, memoryBytes: 1e9, refused: {} }]);
    await worker.close();
    workers = [];
    expect(await queues.workers()).toEqual([]);
  });

  test('a server that would evict jobs is refused with the remedy', async () => {
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      await expect(JobQueues.connect(connection)).rejects.toMatchObject({
        code: 'unsuitable-server',
        remedy: expect.stringContaining('noeviction') as string,
      });
    } finally {
      await client.config('SET', 'maxmemory-policy', 'noeviction');
      client.disconnect();
    }
    expect(queues.warnings.join()).toContain('append-only');
  });
});
