import { taskNames } from '@orchard/contracts';
import { JobQueues, JobWorker, type HeldJob } from '@orchard/queue';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRedis, type RedisServer } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';
import { jobOf, result } from './jobs-under-test.js';

const run = 'a'.repeat(64);

describe.skipIf(lacks('redis'))('a Redis that answers and refuses', () => {
  let redis: RedisServer;
  let admin: Redis;
  let prefix: string;
  let errors: string[];
  let processed: string[];
  const closing: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    redis = await startRedis({ own: true });
    admin = new Redis(redis.url);
    prefix = `{test-${randomBytes(4).toString('hex')}}`;
    errors = [];
    processed = [];
  });
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((one) => one.close()));
    admin.disconnect();
    await redis.stop();
  });

  const onError = (error: Error): void => void errors.push(error.message);

  async function worker(more: Partial<Parameters<typeof JobWorker.start>[0]> = {}): Promise<JobWorker> {
    const started = await JobWorker.start({
      connection: { url: redis.url, prefix, onError },
      pool: 'worker',
      concurrency: 2,
      presence: () => ({ threads: 2, memoryBytes: 1e9, refused: {}, notice: null }),
      process: ({ id }) => {
        processed.push(id);
        return Promise.resolve(result);
      },
      onError,
      ...more,
    });
    closing.push(started);
    return started;
  }

  async function queues(): Promise<JobQueues> {
    const opened = await JobQueues.connect({ url: redis.url, prefix, onError });
    closing.push(opened);
    return opened;
  }

  /** Puts a job in and waits until a worker has done it. */
  async function done(filled: JobQueues, dimension: number): Promise<void> {
    await filled.add([jobOf(run, dimension)]);
    await expect.poll(() => processed).toContain(taskNames.job(jobOf(run, dimension).job.task));
  }

  test('writes, for want of a replica: it is asked less and less, the watch says so, and jobs go on afterwards', async () => {
    const filled = await queues();
    await worker();
    await done(filled, 1);
    await admin.config('SET', 'min-replicas-to-write', '1');
    await expect.poll(() => filled.server.outage).toMatchObject({ isAnswering: true });
    expect(filled.server.outage!.reason).toMatch(/NOREPLICAS.*min-replicas-to-write/);
    await filled.ping();
    await expect(filled.checkReady()).rejects.toThrow('NOREPLICAS');
    errors.length = 0;
    await sleep(5_000);
    expect(errors.length).toBeLessThan(40);
    expect(errors.join()).toContain('NOREPLICAS');
    await admin.config('SET', 'min-replicas-to-write', '0');
    await expect.poll(() => filled.server.outage).toBeNull();
    await filled.checkReady();
    await done(filled, 2);
  });

  test('everything, while a script blocks it: events are followed again when it is over', async () => {
    const filled = await queues();
    const completed: string[] = [];
    filled.onEvent(({ kind, id }) => kind === 'completed' && completed.push(id));
    await worker();
    await done(filled, 1);
    await admin.config('SET', 'busy-reply-threshold', '50');
    const blocking = new Redis(redis.url);
    const script = blocking.eval('while true do end', 0).catch(() => undefined);
    await expect.poll(() => filled.server.outage?.reason).toMatch(/BUSY.*SCRIPT KILL/);
    errors.length = 0;
    await sleep(4_000);
    expect(errors.length).toBeLessThan(40);
    await admin.script('KILL');
    await script;
    blocking.disconnect();
    await expect.poll(() => filled.server.outage).toBeNull();
    await sleep(3_000);
    await done(filled, 2);
    const second = taskNames.job(jobOf(run, 2).job.task);
    await expect.poll(() => completed).toContain(second);
  });

  test('the command by which jobs come: a worker that would take nothing is not ready, and says why', async () => {
    await admin.acl('SETUSER', 'half', 'on', '>secret-of-half', '~*', '&*', '+@all', '-bzpopmin');
    const half = await worker({ connection: { url: redis.url.replace('://', '://half:secret-of-half@'), prefix } });
    const why = (): Promise<unknown> =>
      half.checkReady().then(
        () => 'ready',
        (error: unknown) => String(error),
      );
    await expect.poll(why).toMatch(/NOPERM.*ORCHARD_REDIS_PREFIX/);
  });

  test('writes as a replica, whose name still leads to it: some connections, and not thirty a second', async () => {
    await worker();
    await queues();
    const received = async (): Promise<number> =>
      Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))![1]);
    await admin.call('REPLICAOF', '127.0.0.1', '1');
    await sleep(2_000);
    const before = await received();
    await sleep(6_000);
    expect((await received()) - before).toBeLessThan(25);
    await admin.call('REPLICAOF', 'NO', 'ONE');
  });

  test('writes as a replica: workers end at once, whatever their connections do at that moment', async () => {
    const workers = await Promise.all(Array.from({ length: 20 }, () => worker()));
    await sleep(1_000);
    await admin.call('REPLICAOF', '127.0.0.1', '1');
    const ends = workers.map(async (one, place) => {
      await sleep(50 * place);
      await one.close();
    });
    await expect(Promise.race([Promise.all(ends), sleep(20_000)])).resolves.toHaveLength(workers.length);
    await admin.call('REPLICAOF', 'NO', 'ONE');
  });

  test('the jobs of another cluster: whose store is another fills nothing, takes nothing, and says which setting', async () => {
    const first = await queues();
    await first.claim('store-a');
    await first.claim('store-a');
    const second = await queues();
    await expect(second.claim('store-b')).rejects.toMatchObject({ code: 'other-store' });
    await expect(worker({ cluster: () => Promise.resolve('store-b') })).rejects.toThrow('ORCHARD_REDIS_PREFIX');
    const taken: string[] = [];
    const process = ({ id }: HeldJob): ReturnType<Parameters<typeof JobWorker.start>[0]['process']> => {
      taken.push(id);
      return Promise.resolve(result);
    };
    let cluster: string | null = null;
    // started before anybody had seen its store
    await worker({ cluster: () => Promise.resolve(cluster), process });
    await first.add([jobOf(run, 1)]);
    await expect.poll(() => taken.length).toBe(1);
    cluster = 'store-b';
    const notice = async (): Promise<string | null> => (await first.workers())[0]?.notice ?? null;
    await expect.poll(notice).toContain('a cluster with another store');
    await first.add([jobOf(run, 2)]);
    await sleep(7_000);
    expect(taken).toHaveLength(1);
  });
});
