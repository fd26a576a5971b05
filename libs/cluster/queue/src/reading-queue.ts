import { readingProgressSchema, type ReadingProgress } from '@orchard/contracts';
import { Queue, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { returned } from './job-worker.js';
import { PatientWorker } from './patient-worker.js';
import { keysOf, open, whenReady, type QueueConnection } from './connection.js';

const queueName = 'reading';
const connectMilliseconds = 10_000;
const progressMilliseconds = 1_000;

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
  async stateOf(id: string): Promise<{ isActive: boolean; progress: ReadingProgress | null } | null> {
    const job = (await this.#queue.getJob(jobOf(id))) as Job | undefined;
    if (job === undefined) return null;
    const progress = readingProgressSchema.safeParse(job.progress).data ?? null;
    return { isActive: await job.isActive(), progress };
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
  report(progress: ReadingProgress): void;
}

/**
 * Takes readings, one at a time. What `read` throws puts the reading back: the next client that asks for it adds it
 * again.
 */
export class ReadingWorker {
  readonly #redis: Redis;
  readonly #worker: PatientWorker;
  readonly #closing = new AbortController();

  constructor(connection: QueueConnection, lockMilliseconds: number, read: (held: HeldReading) => Promise<void>) {
    this.#redis = open(connection, 'reader', 'patient');
    const { signal } = this.#closing;
    const process = async (job: Job): Promise<ReturnType<typeof returned>> => {
      await read({ id: idOf(job.id!), signal, report: reporter(job) });
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

function reporter(job: Job): (progress: ReadingProgress) => void {
  let reported = -Infinity;
  return (progress) => {
    const now = performance.now();
    if (now - reported < progressMilliseconds) return;
    reported = now;
    job.updateProgress(progress).catch(() => undefined);
  };
}
