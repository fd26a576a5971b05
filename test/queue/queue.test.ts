import { dimensionOfTask, JOB_VERSION, taskNames, type Job } from '@orchard/contracts';
import {
  JobQueues,
  JobWorker,
  ReadingQueue,
  ReadingWorker,
  returned,
  type HeldJob,
  type JobEvent,
  type JobResult,
} from '@orchard/queue';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRedis, type RedisServer } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';
import { jobOf, result, until } from './jobs-under-test.js';

const run = (): string => randomBytes(32).toString('hex');
const nameOf = (run: string, dimension: number): string => taskNames.job(jobOf(run, dimension).job.task);

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

  async function work(
    process: (held: HeldJob) => Promise<JobResult>,
    concurrency = 1,
    memoryBytes = 1e9,
    shortPlaces = 0,
  ): Promise<JobWorker> {
    const worker = await JobWorker.start({
      connection,
      pool: 'worker',
      name: `worker-${workers.length}`,
      concurrency,
      shortPlaces,
      process,
      // no multiple of anything: intervals that derive from it have to be whole all the same
      lockMilliseconds: 1000.7,
      presence: () => ({ threads: concurrency, memoryBytes, refused: {}, notice: null }),
    });
    workers.push(worker);
    return worker;
  }

  test('large jobs come to workers of as much memory alone, before others, and go back where there are none', async () => {
    const taken: string[] = [];
    const take =
      (name: string) =>
      async ({ job }: HeldJob): Promise<JobResult> => {
        taken.push(`${name} ${String(dimensionOfTask(job.task))}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
        return result;
      };
    await work(take('small'), 1, 1e6);
    const big = await work(take('big'), 1, 1e9);
    const runId = run();
    const jobs = (from: number, to: number, isLarge: boolean): object[] =>
      Array.from({ length: to - from }, (_, at) => ({ ...jobOf(runId, from + at), lane: isLarge ? 'large' : null }));
    await queues.setLanes({ largeBytes: 1e8, hasShort: false });
    await queues.add(jobs(0, 4, true) as never);
    expect((await queues.counts()).worker).toMatchObject({ waiting: 4 });
    expect(await queues.jobs('worker')).toHaveLength(4);
    await until('all are done', async () => (await queues.jobs('worker')).length === 0);
    expect(taken).toEqual(['big 0', 'big 1', 'big 2', 'big 3']);
    await queues.add([...jobs(4, 6, true), ...jobs(6, 30, false)] as never);
    await until('all are done', async () => (await queues.jobs('worker')).length === 0);
    for (const dimension of [4, 5]) expect(taken).toContain(`big ${String(dimension)}`);
    expect(taken.indexOf('big 5')).toBeLessThan(12);
    expect(taken).toHaveLength(30);
    await big.close();
    await queues.add(jobs(30, 32, true) as never);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await queues.jobs('worker')).toHaveLength(2);
    await queues.setLanes({ largeBytes: null, hasShort: false });
    expect(await queues.jobs('worker')).toEqual([]);
    expect(taken).toHaveLength(30);
  });

  test('short jobs are done beside long ones in work, and are removed where none takes them', async () => {
    const taken: string[] = [];
    const worker = await work(
      async ({ job, isShort, signal }) => {
        taken.push(`${isShort ? 'short' : 'long'} ${String(dimensionOfTask(job.task))}`);
        if (!isShort) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return result;
      },
      1,
      1e9,
      1,
    );
    const runId = run();
    const short = (at: number): object => ({ ...jobOf(runId, at), lane: 'short' });
    await queues.setLanes({ largeBytes: null, hasShort: true });
    await queues.add([jobOf(runId, 0), jobOf(runId, 1), short(2), short(3)] as never);
    await until('the short ones are done', () => taken.length === 3);
    expect(taken.toSorted()).toEqual(['long 0', 'short 2', 'short 3']);
    await until('they are gone', async () => (await queues.counts()).worker.waiting === 1);
    expect((await queues.jobs('worker')).map(({ lane }) => lane)).toEqual([null, null]);
    expect(await queues.workers()).toMatchObject([{ shortPlaces: 1 }]);
    await worker.close();
    workers = [];
    await queues.add([short(4)] as never);
    expect((await queues.jobs('worker')).map(({ lane }) => lane)).toEqual([null, 'short']);
    await queues.setLanes({ largeBytes: null, hasShort: false });
    expect((await queues.jobs('worker')).map(({ lane }) => lane)).toEqual([null]);
  });

  test('what a program had that is gone is released where no other of its pool is there, and says whose loss it is', async () => {
    const runId = run();
    const client = new Redis(redis.url);
    await work(({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(result))));
    await queues.add([jobOf(runId, 0), jobOf(runId, 1)]);
    await until('it has one', async () => (await queues.held()).length === 1);
    // still locked
    expect(await queues.release('worker', false)).toEqual([]);
    const before = await queues.jobs('worker');
    expect(before.map(({ state }) => state).toSorted()).toEqual(['active', 'waiting']);
    const { id, job } = before.find(({ state }) => state === 'active')!;
    await client.del(`${connection.prefix}:worker:${id}:lock`);
    const lost = await queues.release('worker', false);
    expect(lost).toEqual([{ job, loss: expect.stringMatching(/^\d+-1$/) as string, worker: 'worker-0' }]);
    expect((await queues.jobs('worker')).map(({ state }) => state)).toEqual(['waiting']);
    expect(await queues.release('worker', true)).toEqual([]);
    expect(await queues.jobs('worker')).toEqual([]);
    client.disconnect();
  });

  test('a reading whose worker is gone waits, though no other worker reads', async () => {
    const client = new Redis(redis.url);
    const readings = await ReadingQueue.connect(connection);
    const reader = new ReadingWorker(connection, { lockMilliseconds: 60_000, name: 'reader' }, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 'answered';
    });
    const id = 'a'.repeat(32);
    await readings.add(id);
    await until('it is read', async () => (await readings.stateOf(id))?.isActive === true);
    await client.del(`${connection.prefix}:reading:r-${id}:lock`);
    expect(await readings.stateOf(id)).toEqual({ isActive: false, progress: null, deniedBy: [], withoutRoom: [] });
    await reader.close();
    await readings.close();
    client.disconnect();
  });

  test('jobs come in the order of adding, and are gone when they are done', async () => {
    const seen: number[] = [];
    const runId = run();
    await queues.add([5, 3, 9, 1].map((dimension) => jobOf(runId, dimension)));
    await work(({ job }) => {
      seen.push(dimensionOfTask(job.task)!);
      return Promise.resolve(result);
    });
    await until('all are done', () => seen.length === 4);
    expect(seen).toEqual([5, 3, 9, 1]);
    await until('they are gone', async () => (await queues.jobs('worker')).length === 0);
  });

  test('a job that is there is not added again; one that is done or failed can be', async () => {
    const runId = run();
    await queues.add([jobOf(runId, 1), jobOf(runId, 1)]);
    await queues.add([jobOf(runId, 1)]);
    expect(await queues.jobs('worker')).toHaveLength(1);
    let calls = 0;
    await work(() => (++calls === 1 ? Promise.reject(new Error('no luck')) : Promise.resolve(result)));
    for (const count of [1, 2, 3]) {
      await until(`call ${count} is over`, async () => calls === count && (await queues.jobs('worker')).length === 0);
      await queues.add([jobOf(runId, 1)]);
    }
    await until('the last is over', async () => calls === 4 && (await queues.jobs('worker')).length === 0);
  });

  test('events tell of beginnings, progress, ends and failures', async () => {
    const events: JobEvent[] = [];
    queues.onEvent((event) => events.push(event));
    const runId = run();
    await work(async ({ report, job }) => {
      if (job.task.run !== runId) return result;
      const id = taskNames.job(job.task);
      report({ share: 0.7, trees: 7, nats: -1.5 });
      await until('its progress is heard', () => events.some((event) => event.kind === 'progress' && event.id === id));
      if (job.task.key === '2') throw Object.assign(new Error('no luck, and a secret'), { code: 'no-luck' });
      return { ...result, seconds: 9 };
    });
    // events are heard from some moment on: until then other runs have jobs
    await until('an event is heard', async () => {
      await queues.add([jobOf(run(), 1)]);
      return events.length > 0;
    });
    await queues.add([jobOf(runId, 1), jobOf(runId, 2)]);
    await until('both ended', () => events.some(({ kind }) => kind === 'failed'));
    const [first, second] = [nameOf(runId, 1), nameOf(runId, 2)];
    expect(events).toContainEqual({ kind: 'active', id: first });
    expect(events).toContainEqual({
      kind: 'progress',
      id: first,
      progress: { share: 0.7, trees: 7, nats: -1.5 },
    });
    expect(events).toContainEqual({ kind: 'completed', id: first, result: { ...result, seconds: 9 } });
    // the code alone: what happened may hold anything
    expect(events).toContainEqual({
      kind: 'failed',
      id: second,
      code: 'no-luck',
      seconds: expect.any(Number) as number,
    });
  });

  test('a result of another release is no event but an error, and what follows is heard', async () => {
    const errors: string[] = [];
    const own = await JobQueues.connect({ ...connection, onError: ({ message }) => errors.push(message) });
    try {
      const runId = run();
      const completed: string[] = [];
      own.onEvent(({ kind, id }) => kind === 'completed' && completed.push(id));
      await work(({ job: { task } }) =>
        Promise.resolve(task.key === '2' ? ({ outcome: 'stored', took: 3 } as unknown as JobResult) : result),
      );
      await until('an event is heard', async () => {
        await queues.add([jobOf(run(), 1)]);
        return completed.length > 0;
      });
      await queues.add([jobOf(runId, 2), jobOf(runId, 3)]);
      await until('the last has ended', () => completed.includes(nameOf(runId, 3)));
      expect(errors).toEqual([`The result of the job ${nameOf(runId, 2)} is not that of this release.`]);
      expect(completed).not.toContain(nameOf(runId, 2));
    } finally {
      await own.close();
    }
  });

  test('a stop request aborts the jobs of that run alone; one that is given back is gone, says why, and can be added again', async () => {
    const [stopped, other] = [run(), run()];
    const aborted: string[] = [];
    const given: JobEvent[] = [];
    let began = 0;
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    queues.onEvent((event) => event.id === nameOf(stopped, 1) && event.kind === 'completed' && given.push(event));
    await work(async ({ job: { task }, signal }) => {
      began++;
      await Promise.race([released, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      if (!signal.aborted) return result;
      aborted.push(task.run);
      return returned('nobody wants it', 100);
    }, 2);
    await queues.add([jobOf(stopped, 1), jobOf(other, 1)]);
    await until('both began', () => began === 2);
    await queues.requestStop(stopped);
    await until('one was stopped', () => aborted.length === 1);
    release();
    await until('it was given back', () => given.length === 1);
    const told: JobResult = returned('nobody wants it', 100);
    expect(given[0]).toEqual({ kind: 'completed', id: nameOf(stopped, 1), result: told });
    expect((await queues.jobs()).map(({ id }) => id)).not.toContain(nameOf(stopped, 1));
    await queues.add([jobOf(stopped, 1)]);
    await until('it came again', () => began === 3);
    expect(aborted).toEqual([stopped]);
  });

  test('a job of a version that a worker does not know is given back with a reason, and is not worked on', async () => {
    const seen: string[] = [];
    const given: JobEvent[] = [];
    queues.onEvent((event) => event.kind === 'completed' && given.push(event));
    const runId = run();
    const later = { ...jobOf(runId, 1).job, version: JOB_VERSION + 1 } as unknown as Job;
    await queues.add([{ job: later, pool: 'worker' }, jobOf(runId, 2)]);
    // nor is it taken for one that this release made
    expect((await queues.jobs()).map(({ id }) => id)).toEqual([nameOf(runId, 2)]);
    await work(({ job: { task } }) => {
      seen.push(task.key);
      return Promise.resolve(result);
    });
    await until('both are over', () => given.length === 2);
    expect(seen).toEqual(['2']);
    const strange = given.find(({ id }) => id === nameOf(runId, 1));
    expect(strange).toMatchObject({
      result: { outcome: 'returned', reason: expect.stringContaining('another release') as string },
    });
  });

  test('close hands back at once what is in hand, for others', async () => {
    const hang = async ({ signal }: HeldJob): Promise<JobResult> => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new Error('interrupted');
    };
    const first = await work(hang);
    await queues.add([jobOf(run(), 1)]);
    await until('it is taken', () => first.active === 1);
    await first.close();
    expect((await queues.jobs('worker')).map(({ state }) => state)).toEqual(['waiting']);
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
    await queues.add([1, 2, 3].map((dimension) => jobOf(runId, dimension)));
    await until('one is taken', () => worker.active === 1);
    await queues.remove([1, 2, 3].map((dimension) => nameOf(runId, dimension)));
    expect((await queues.jobs('worker')).map(({ state }) => state)).toEqual(['active']);
    release!();
  });

  test('workers are known while they live', async () => {
    const worker = await work(() => Promise.resolve(result), 3);
    await until('it is known', async () => (await queues.workers()).length === 1);
    expect(await queues.workers()).toEqual([
      {
        id: worker.id,
        name: 'worker-0',
        pool: 'worker',
        threads: 3,
        active: 0,
        memoryBytes: 1e9,
        refused: {},
        isAside: false,
        takesLarge: true,
        shortPlaces: 0,
        notice: null,
      },
    ]);
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
