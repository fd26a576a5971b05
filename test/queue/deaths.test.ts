import type { Pool } from '@orchard/contracts';
import { JobQueues, JobWorker, type HeldJob, type JobResult } from '@orchard/queue';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRedis, type RedisServer } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';
import { jobOf, result, until } from './jobs-under-test.js';

const run = randomBytes(32).toString('hex');
const jobs = (count: number) => Array.from({ length: count }, (_, key) => jobOf(run, key));

/** A way to a server that can be cut for good. */
async function layCable(target: string): Promise<{ url: string; cut: () => void }> {
  const { hostname, port } = new URL(target);
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from.on('error', () => to.destroy()));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}

describe.skipIf(lacks('redis'))('a worker that comes back under its name', () => {
  let redis: RedisServer;
  let client: Redis;
  let queues: JobQueues;
  let workers: JobWorker[];
  let connection: { url: string; prefix: string };

  beforeAll(async () => {
    redis = await startRedis({ own: true });
    client = new Redis(redis.url);
  });
  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });
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
    name: string,
    process: (held: HeldJob) => Promise<JobResult>,
    {
      url = redis.url,
      onSlowed = (): void => undefined,
      pool = 'worker',
    }: { url?: string; onSlowed?: (notice: string | null) => void; pool?: Pool } = {},
  ): Promise<JobWorker> {
    const worker = await JobWorker.start({
      connection: { ...connection, url },
      pool,
      name,
      concurrency: 3,
      process,
      lockMilliseconds: 1000,
      presence: () => ({ threads: 3, memoryBytes: 1e9, refused: {}, notice: 'Its own.' }),
      onSlowed,
    });
    workers.push(worker);
    return worker;
  }

  /** What lives that ended so many seconds ago without a word leave behind. */
  const die = (name: string, ...secondsAgo: number[]): Promise<void> => dieIn('worker', name, ...secondsAgo);

  async function dieIn(pool: Pool, name: string, ...secondsAgo: number[]): Promise<void> {
    const [now] = await client.time();
    for (const [life, ago] of secondsAgo.entries())
      await client.hset(`${connection.prefix}:lives:${pool}:${name}`, `life-${life}`, Number(now) - ago);
  }

  test('takes one task at a time after a death, and says so beside what it has to say itself', async () => {
    await die('sick', 9);
    const notices: (string | null)[] = [];
    let most = 0;
    let done = 0;
    const hold = async (): Promise<JobResult> => {
      most = Math.max(most, workers[0]!.active);
      await sleep(30);
      done++;
      return result;
    };
    await queues.add(jobs(6));
    await work('sick', hold, { onSlowed: (notice) => notices.push(notice) });
    await until('all are done', () => done === 6);
    expect(most).toBe(1);
    expect(notices).toEqual([expect.stringMatching(/^Worker sick died once .* one task at a time/)]);
    await until('it is said', async () => (await queues.workers())[0]?.notice === `${notices[0]!} Its own.`);
  });

  test('is called a selector where it is one: both may have the name of one host', async () => {
    await dieIn('selector', 'host-7', 9);
    await work('host-7', () => Promise.resolve(result), { pool: 'selector' });
    await until('it is said', async () => {
      const [selector] = await queues.workers();
      return selector?.notice?.startsWith('Selector host-7 died once') === true;
    });
  });

  test('waits before it takes any after two, which others take meanwhile', async () => {
    await die('sick', 9, 20);
    const taken: string[] = [];
    const takenBy = (name: string) => async (): Promise<JobResult> => {
      taken.push(name);
      await sleep(300);
      return result;
    };
    const begun = performance.now();
    await work('sick', takenBy('sick'));
    await work('well', takenBy('well'));
    await queues.add(jobs(6));
    await until('all are taken', () => taken.length === 6);
    expect(taken).toEqual(Array.from({ length: 6 }, () => 'well'));
    await queues.add(jobs(60).slice(6));
    await until('it takes tasks again', () => taken.includes('sick'));
    expect(performance.now() - begun).toBeGreaterThan(4_000);
  });

  test('is not slowed by lives that ended well, by deaths long ago, or by those of another name', async () => {
    await die('host', 601);
    await die('other', 9, 20);
    await (await work('host', () => Promise.resolve(result))).close();
    let most = 0;
    await queues.add(jobs(3));
    await work('host', async () => {
      most = Math.max(most, workers.at(-1)!.active);
      await sleep(200);
      return result;
    });
    await until('three at once', () => most === 3);
    expect(await client.hlen(`${connection.prefix}:lives:worker:host`)).toBe(1);
  });

  test('is slowed for a moment only by another of the same name that lives, and of no death is spoken', async () => {
    await queues.add(jobs(3));
    const first = await work(
      'host',
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('it ends'));
          });
        }),
    );
    await until('the first has its hands full', () => first.active === 3);
    const notices: (string | null)[] = [];
    let most = 0;
    await queues.add(jobs(60).slice(3));
    const second = await work(
      'host',
      async () => {
        most = Math.max(most, second.active);
        await sleep(150);
        return result;
      },
      { onSlowed: (notice) => notices.push(notice) },
    );
    await until('three at once', () => most === 3);
    expect(notices).toEqual([]);
  });

  test('is named in the loss of what it had: whoever takes the task over knows who lost it', async () => {
    const cable = await layCable(redis.url);
    try {
      await queues.add(jobs(1));
      let isTaken = false;
      await work(
        'lost',
        () => {
          isTaken = true;
          return sleep(8_000).then(() => result);
        },
        { url: cable.url },
      );
      await until('it has the task', () => isTaken);
      await until('that is known', async () => (await queues.held())[0]?.worker === 'lost');
      cable.cut();
      const losses: Pick<HeldJob, 'loss' | 'lostBy'>[] = [];
      await work('next', ({ loss, lostBy }) => {
        losses.push({ loss, lostBy });
        return Promise.resolve(result);
      });
      await until('another took it over', () => losses.length === 1);
      expect(losses).toEqual([{ loss: expect.stringMatching(/-1$/) as string, lostBy: 'lost' }]);
    } finally {
      cable.cut();
    }
  });
});
