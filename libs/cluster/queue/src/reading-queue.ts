import { readingProgressSchema, type ReadingProgress } from '@orchard/contracts';
import { DelayedError, Queue, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { returned } from './held-job.js';
import { PatientWorker } from './patient-worker.js';
import { keysOf, open, whenReady, type QueueConnection } from './connection.js';

const queueName = 'reading';
const connectMilliseconds = 10_000;
const progressMilliseconds = 1_000;
/** One that a worker may not read waits so long before workers are asked again. */
const handedBackMilliseconds = 2_000;
/** One that found no room waits longer: each worker that takes it copies as much as it has room for. */
const withoutRoomMilliseconds = 10_000;
/** Names of workers that a reading remembers. */
const mostNames = 100;

const dataSchema = z.object({
  deniedBy: z.array(z.string()).default([]),
  withoutRoom: z.array(z.string()).default([]),
});

/** What Redis knows of a reading. */
export interface ReadingState {
  /** Whether a worker has it that is there. */
  readonly isActive: boolean;
  readonly progress: ReadingProgress | null;
  /** Names of workers that handed it back, since they may not read that place. */
  readonly deniedBy: readonly string[];
  /** The same of workers that had no room for a copy, one for each time. */
  readonly withoutRoom: readonly string[];
}

/** Readings that wait for a worker, as coordinators see them. */
export class ReadingQueue {
  readonly #redis: Redis;
  readonly #queue: Queue;

  private constructor(redis: Redis, connection: QueueConnection) {
    this.#redis = redis;
    this.#queue = new Queue(queueName, { connection: redis, prefix: keysOf(connection).prefix });
    this.#queue.on('error', (error) => connection.onError?.(error));
  }

  /** @throws QueueError `unreachable`, `unsuitable-server`, `invalid-url` */
  static async connect(connection: QueueConnection): Promise<ReadingQueue> {
    const redis = open(connection, 'readings', 'brisk');
    try {
      await whenReady(redis, connectMilliseconds);
      return new ReadingQueue(redis, connection);
    } catch (error) {
      redis.disconnect();
      throw error;
    }
  }

  async add(id: string): Promise<void> {
    await this.#queue.add('read', {}, { jobId: jobOf(id), attempts: 1, removeOnComplete: true, removeOnFail: true });
  }

  /** Null of one that Redis does not hold. */
  async stateOf(id: string): Promise<ReadingState | null> {
    const job = (await this.#queue.getJob(jobOf(id))) as Job | undefined;
    if (job === undefined) return null;
    const progress = readingProgressSchema.safeParse(job.progress).data ?? null;
    return { isActive: (await job.isActive()) && (await this.#isLocked(job)), progress, ...handedBack(job) };
  }

  /** Of a worker that is gone the lock expires; that the reading waits only another one that reads would say. */
  async #isLocked({ id }: Job): Promise<boolean> {
    return (await this.#redis.exists(`${this.#queue.toKey(id!)}:lock`)) === 1;
  }

  /** Readings that wait, and that workers have. */
  async counts(): Promise<{ readonly waiting: number; readonly active: number }> {
    const { waiting = 0, delayed = 0, active = 0 } = await this.#queue.getJobCounts('waiting', 'delayed', 'active');
    return { waiting: waiting + delayed, active };
  }

  readers(): Promise<number> {
    return this.#queue.getWorkersCount();
  }

  async close(): Promise<void> {
    await this.#queue.close().catch(() => undefined);
    this.#redis.disconnect();
  }
}

/** A reading in the hands of a worker. */
export interface HeldReading {
  readonly id: string;
  /** Aborted when this process ends. */
  readonly signal: AbortSignal;
  /** How often this worker had no room for it. */
  readonly timesWithoutRoom: number;
  report(progress: ReadingProgress): void;
}

/**
 * Takes readings, one at a time. What `read` throws puts the reading back: the next client that asks for it adds it
 * again. One that this worker may not read, or has no room for, goes back to the queue with its name.
 */
export class ReadingWorker {
  readonly #redis: Redis;
  readonly #worker: PatientWorker;
  readonly #closing = new AbortController();

  constructor(
    connection: QueueConnection,
    { lockMilliseconds, name }: { readonly lockMilliseconds: number; readonly name: string },
    read: (held: HeldReading) => Promise<'answered' | 'denied' | 'without-room'>,
  ) {
    this.#redis = open(connection, 'reader', 'patient');
    const { signal } = this.#closing;
    const process = async (job: Job, token?: string): Promise<ReturnType<typeof returned>> => {
      const { deniedBy, withoutRoom } = handedBack(job);
      const timesWithoutRoom = withoutRoom.filter((one) => one === name).length;
      const came = await read({ id: idOf(job.id!), signal, timesWithoutRoom, report: reporter(job) });
      if (came === 'denied') {
        await job.updateData({ deniedBy: [...new Set([...deniedBy, name])].slice(-mostNames), withoutRoom });
        await job.moveToDelayed(Date.now() + handedBackMilliseconds, token);
        throw new DelayedError();
      }
      if (came === 'without-room') {
        await job.updateData({ deniedBy, withoutRoom: [...withoutRoom, name].slice(-mostNames) });
        await job.moveToDelayed(Date.now() + withoutRoomMilliseconds, token);
        throw new DelayedError();
      }
      // what came of it is in the store
      return returned(null, 0);
    };
    this.#worker = new PatientWorker(queueName, process, {
      connection: this.#redis,
      prefix: keysOf(connection).prefix,
      lockDuration: lockMilliseconds,
      stalledInterval: Math.max(500, Math.round(lockMilliseconds / 3)),
      // attempts are counted in the store
      maxStalledCount: 1_000_000,
      drainDelay: 5,
    });
    this.#worker.on('error', (error) => connection.onError?.(error));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#redis.status === 'ready') await this.#worker.close().catch(() => undefined);
    this.#redis.disconnect();
  }
}

/** A job's own name may not be digits alone. */
const jobOf = (id: string): string => `r-${id}`;
const idOf = (job: string): string => job.slice('r-'.length);

function handedBack({ data }: Job): z.infer<typeof dataSchema> {
  return dataSchema.safeParse(data).data ?? { deniedBy: [], withoutRoom: [] };
}

function reporter(job: Job): (progress: ReadingProgress) => void {
  let reported = -Infinity;
  return (progress) => {
    const now = performance.now();
    if (now - reported < progressMilliseconds) return;
    reported = now;
    job.updateProgress(progress).catch(() => undefined);
  };
}
