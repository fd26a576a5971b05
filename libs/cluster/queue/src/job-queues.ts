import { jobSchema, noProgress, taskNames, taskProgressSchema, type Job, type Pool } from '@orchard/contracts';
import { Queue, QueueEvents, type Job as BullJob, type JobType } from 'bullmq';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { answered, keysOf, open, unreachable, whenReady, type QueueConnection } from './connection.js';
import { readFailedReason } from './failed-reason.js';
import { nextLossOf } from './held-job.js';
import { laneOf, poolOf, queueNames, setLargeBytes, type Lane, type QueueName } from './lanes.js';
import { present, presentOrLate } from './presence.js';
import {
  jobResultSchema,
  type HeldTask,
  type JobCounts,
  type JobEvent,
  type LateWorker,
  type LostJob,
  type QueuedJob,
  type WorkerPresence,
} from './queues.js';
import { RedisWatch } from './redis-watch.js';
import { checkServer } from './server-check.js';

const connectMilliseconds = 10_000;
/** After events could not be read; the reconciler's passes find out meanwhile what they would have said. */
const eventsMilliseconds = 2_000;
/** What a server that is away is waited for before its connections are dropped. */
export const closeMilliseconds = 1_000;

/** What is to be put into a queue. */
export interface QueuedWork {
  readonly job: Job;
  readonly pool: Pool;
  /** Of what workers do, in which of the queues beside their first. @default none of them */
  readonly lane?: Lane | null;
}

/** The queues as those see them who fill them and watch them. */
export class JobQueues {
  /** What could be better about the server, each a sentence. */
  readonly warnings: readonly string[];
  /** Whether Redis answers. */
  readonly server: RedisWatch;
  readonly #keys: ReturnType<typeof keysOf>;
  readonly #queues: Readonly<Record<QueueName, Queue>>;
  readonly #listeners = new Set<(event: JobEvent) => void>();
  #isClosed = false;
  #events: readonly { events: QueueEvents; redis: Redis }[] = [];

  private constructor(
    private readonly redis: Redis,
    private readonly connection: QueueConnection,
    warnings: readonly string[],
  ) {
    this.#keys = keysOf(connection);
    this.server = new RedisWatch(redis, this.#keys);
    this.warnings = warnings;
    const queue = (name: QueueName): Queue => {
      const made = new Queue(name, { connection: redis, prefix: this.#keys.prefix });
      made.on('error', (error) => connection.onError?.(error));
      return made;
    };
    this.#queues = {
      worker: queue('worker'),
      large: queue('large'),
      short: queue('short'),
      selector: queue('selector'),
    };
  }

  /** @throws QueueError `unreachable`, `unsuitable-server`, `invalid-url` */
  static async connect(connection: QueueConnection): Promise<JobQueues> {
    const redis = open(connection, 'queues', 'brisk');
    try {
      await whenReady(redis, connectMilliseconds);
      return new JobQueues(redis, connection, await checkServer(redis));
    } catch (error) {
      redis.disconnect();
      throw error;
    }
  }

  /**
   * Says which cluster fills these queues, and goes on saying it: workers with another store then take no jobs of it.
   *
   * @throws QueueError `other-store` where another cluster does
   */
  claim(cluster: string): Promise<void> {
    return this.server.claim(cluster);
  }

  /** Adds jobs in this order. One that Redis holds already is left as it is. */
  async add(jobs: readonly QueuedWork[]): Promise<void> {
    for (const name of queueNames) {
      const own = jobs.filter(({ pool, lane }) => (pool === 'worker' ? (lane ?? pool) : pool) === name);
      if (own.length === 0) continue;
      await this.#queues[name].addBulk(
        own.map(({ job }) => ({
          name: job.task.kind,
          data: job,
          // gone when finished, whichever way: only then can the same job be added again
          opts: {
            jobId: taskNames.job(job.task),
            attempts: 1,
            removeOnComplete: true,
            removeOnFail: true,
            stackTraceLimit: 1,
          },
        })),
      );
    }
  }

  /** The jobs that Redis holds, those of the runs' windows and no more. Those of another release are not among them. */
  async jobs(pool?: Pool): Promise<readonly QueuedJob[]> {
    const held: QueuedJob[] = [];
    for (const name of queueNames) {
      if (pool !== undefined && poolOf(name) !== pool) continue;
      for (const state of ['waiting', 'active', 'delayed'] as const) {
        for (const found of (await this.#queues[name].getJobs([state], 0, -1, true)) as ({ data: unknown } | null)[]) {
          const parsed = jobSchema.safeParse(found?.data);
          if (parsed.success)
            held.push({
              id: taskNames.job(parsed.data.task),
              job: parsed.data,
              pool: poolOf(name),
              lane: laneOf(name),
              state,
            });
        }
      }
    }
    return held;
  }

  /** Removes jobs that no worker has; those being worked on stay. */
  async remove(ids: readonly string[]): Promise<void> {
    await Promise.all(queueNames.flatMap((name) => ids.map((id) => this.#queues[name].remove(id))));
  }

  /**
   * Says what workers take from the lanes. Where none takes from one, what waits there is removed, and what workers had
   * that are gone: the next dispatch puts it where workers are.
   *
   * @param lanes the memory from which on a worker takes large jobs, null where none is to be; and whether a worker is
   *   there that takes short ones
   * @returns what workers had that are gone
   */
  async setLanes(lanes: {
    readonly largeBytes: number | null;
    readonly hasShort: boolean;
  }): Promise<readonly LostJob[]> {
    const { largeBytes, hasShort } = lanes;
    await setLargeBytes(this.redis, this.#keys.large, largeBytes);
    const large = largeBytes === null ? await this.#clear('large', true) : [];
    const short = hasShort ? [] : await this.#clear('short', true);
    return [...large, ...short];
  }

  /**
   * Removes from the queue of a pool what programs had that are gone. Programs that take from it notice that by
   * themselves: this is for a pool where none is there.
   *
   * @param withWaiting whether what waits there is removed too, because another pool can do it
   * @returns what they had; a job that a program still has is locked, and stays
   */
  release(pool: Pool, withWaiting: boolean): Promise<readonly LostJob[]> {
    return this.#clear(pool, withWaiting);
  }

  async #clear(name: QueueName, withWaiting: boolean): Promise<readonly LostJob[]> {
    const queue = this.#queues[name];
    const found = async (...states: JobType[]): Promise<BullJob[]> =>
      ((await queue.getJobs(states)) as (BullJob | null)[]).filter(
        (one) => one !== null && one.id !== undefined,
      ) as BullJob[];
    // one that a program still has is locked, and stays
    const isRemoved = async (job: BullJob): Promise<boolean> => (await queue.remove(job.id!).catch(() => 0)) === 1;
    if (withWaiting) await Promise.all((await found('waiting', 'delayed')).map(isRemoved));
    const lost = await Promise.all(
      (await found('active')).map(async (held): Promise<LostJob | null> => {
        const worker = (await this.redis.hget(queue.toKey(held.id!), 'heldBy')) ?? '';
        const parsed = jobSchema.safeParse(held.data);
        if (!(await isRemoved(held)) || !parsed.success) return null;
        return { job: parsed.data, loss: nextLossOf(held), worker };
      }),
    );
    return lost.filter((one) => one !== null);
  }

  /** Whether one of the queues is paused. */
  async isPaused(): Promise<boolean> {
    const paused = await Promise.all(queueNames.map((name) => this.#queues[name].isPaused()));
    return paused.includes(true);
  }

  async counts(): Promise<Readonly<Record<Pool, JobCounts>>> {
    const of = async (name: QueueName): Promise<JobCounts> => {
      const counts = await this.#queues[name].getJobCounts('waiting', 'active', 'delayed');
      return { waiting: counts['waiting'] ?? 0, active: counts['active'] ?? 0, delayed: counts['delayed'] ?? 0 };
    };
    const [worker, large, short] = [await of('worker'), await of('large'), await of('short')];
    return { worker: sumOfCounts(worker, sumOfCounts(large, short)), selector: await of('selector') };
  }

  /** The workers that spoke within the last seconds. */
  workers(): Promise<readonly WorkerPresence[]> {
    return present(this.redis, this.#keys.workers);
  }

  /** The same, and those that fell silent some minutes ago at most. */
  lateWorkers(): Promise<readonly LateWorker[]> {
    return presentOrLate(this.redis, this.#keys.workers);
  }

  /** What is being worked on, by whom, and how far it is: as many as the workers have threads, and a few more. */
  async held(): Promise<readonly HeldTask[]> {
    const held: HeldTask[] = [];
    for (const name of queueNames) {
      const queue = this.#queues[name];
      const found = (await queue.getJobs(['active'], 0, -1, true)) as ({
        id?: string;
        data: unknown;
        progress: unknown;
      } | null)[];
      const names = await Promise.all(found.map((one) => this.redis.hget(queue.toKey(one?.id ?? ''), 'heldBy')));
      found.forEach((one, at) => {
        const parsed = jobSchema.safeParse(one?.data);
        if (!parsed.success) return;
        const progress = taskProgressSchema.safeParse(one?.progress).data ?? noProgress;
        held.push({ job: parsed.data, worker: names[at] ?? null, progress });
      });
    }
    return held;
  }

  /** Asks all workers to let go of a run's jobs at once. A worker that does not hear it finds out from the store. */
  async requestStop(runId: string): Promise<void> {
    await this.redis.publish(this.#keys.stop, runId);
  }

  /** Calls `listener` with what happens to jobs from now on. @returns stops that */
  onEvent(listener: (event: JobEvent) => void): () => void {
    this.#listeners.add(listener);
    if (this.#events.length === 0) this.#events = queueNames.map((name) => this.#listen(name));
    return () => this.#listeners.delete(listener);
  }

  /** @throws QueueError `unreachable` where Redis does not answer in time */
  async ping(milliseconds = 2_000): Promise<void> {
    await answered(this.redis, this.redis.ping(), milliseconds);
  }

  /** @throws QueueError `unreachable` where Redis does not answer in time, or does not take what is written */
  async checkReady(): Promise<void> {
    await this.ping();
    // a replica, or a server with a full disk, answers a ping
    const { outage } = this.server;
    if (outage !== null) throw unreachable(this.redis, 'Redis to take what is written', new Error(outage.reason));
  }

  /** BullMQ's own queues, for a dashboard of theirs. */
  boardQueues(): readonly Queue[] {
    return queueNames.map((name) => this.#queues[name]);
  }

  /** Lets go of all connections, at once where Redis is away. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    this.server.stop();
    const closing = [
      ...this.#events.map(({ events }) => events.close()),
      ...queueNames.map((name) => this.#queues[name].close()),
    ];
    await Promise.race([Promise.allSettled(closing), sleep(closeMilliseconds, undefined, { ref: false })]);
    for (const { redis } of this.#events) redis.disconnect();
    this.redis.disconnect();
  }

  /** Reads events again after an error: by itself BullMQ would not read any more until the end of the process. */
  async #follow(events: QueueEvents): Promise<void> {
    while (!this.#isClosed) {
      await events.run().catch((error: unknown) => this.connection.onError?.(error as Error));
      if (!this.#isClosed) await sleep(eventsMilliseconds, undefined, { ref: false });
    }
  }

  #listen(name: QueueName): { events: QueueEvents; redis: Redis } {
    const redis = open(this.connection, `events-${name}`, 'patient');
    const events = new QueueEvents(name, { connection: redis, prefix: this.#keys.prefix, autorun: false });
    void this.#follow(events);
    const tell = (event: JobEvent): void => {
      for (const listener of this.#listeners) listener(event);
    };
    events.on('error', (error) => this.connection.onError?.(error));
    events.on('active', ({ jobId }) => {
      tell({ kind: 'active', id: jobId });
    });
    // what another release wrote is not understood: the next pass finds in the store what came of the job
    const unknown = (what: string, id: string, cause: unknown): void => {
      this.connection.onError?.(new Error(`The ${what} of the job ${id} is not that of this release.`, { cause }));
    };
    events.on('progress', ({ jobId, data }) => {
      const parsed = taskProgressSchema.safeParse(data);
      if (parsed.success) tell({ kind: 'progress', id: jobId, progress: parsed.data });
      else unknown('progress', jobId, parsed.error);
    });
    events.on('completed', ({ jobId, returnvalue }) => {
      const parsed = jobResultSchema.safeParse(returnvalue);
      if (parsed.success) tell({ kind: 'completed', id: jobId, result: parsed.data });
      else unknown('result', jobId, parsed.error);
    });
    events.on('failed', ({ jobId, failedReason }) => {
      tell({ kind: 'failed', id: jobId, ...readFailedReason(failedReason) });
    });
    events.on('stalled', ({ jobId }) => {
      tell({ kind: 'stalled', id: jobId });
    });
    return { events, redis };
  }
}

function sumOfCounts(a: JobCounts, b: JobCounts): JobCounts {
  return { waiting: a.waiting + b.waiting, active: a.active + b.active, delayed: a.delayed + b.delayed };
}
