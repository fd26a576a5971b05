import { jobSchema, type Job } from '@orchard/contracts';
import { DelayedError, Worker, WaitingError, type Job as HeldJob } from 'bullmq';
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { away, defaultPrefix, open, whenReady, type QueueConnection } from './connection.js';
import { jobIdOf } from './job-ids.js';
import { closeMilliseconds, keysOf } from './job-queues.js';
import { announce, presenceSeconds, withdraw } from './presence.js';
import type { JobProgress, JobResult, QueueName, WorkerPresence } from './queues.js';
import { checkServer } from './server-check.js';

/** Why a job is to be let go of: its run was cancelled or deleted, or this process ends. */
export type StopReason = 'run-stopped' | 'shutdown';

/** A job in the hands of its processor. */
export interface HeldWork {
  readonly id: string;
  readonly job: Job;
  /** Names the latest time that a worker which had it vanished; null where none did. */
  readonly loss: string | null;
  /** Nobody took this job before: where Redis has not been emptied, nobody stored anything of it since it was made. */
  readonly isFirst: boolean;
  /** Aborted with a {@link StopReason}. */
  readonly signal: AbortSignal;
  /** Tells how far it is; passed on at most once a second. */
  report(progress: JobProgress): void;
}

/** Thrown by a processor to put its job back for others, after a delay. */
export class HandBack extends Error {
  override readonly name = 'HandBack';

  constructor(readonly delayMilliseconds = 0) {
    super('The job is handed back.');
  }
}

export interface JobWorkerOptions {
  readonly connection: QueueConnection;
  readonly queue: QueueName;
  /** Jobs at once. */
  readonly concurrency: number;
  /** What it throws beside {@link HandBack} fails the job, which is then gone from the queue. */
  readonly process: (work: HeldWork) => Promise<JobResult>;
  /** What is told of this process to others, every few seconds. */
  readonly presence?: (() => Omit<WorkerPresence, 'id' | 'active'>) | undefined;
  /**
   * Milliseconds until a job whose holder vanished is given to another; renewed at half of it.
   * @default 15000
   */
  readonly lockMilliseconds?: number | undefined;
  /** Told of lost locks and of commands that failed; the work goes on. */
  readonly onError?: ((error: Error) => void) | undefined;
}

const connectMilliseconds = 30_000;
const progressMilliseconds = 1_000;

/**
 * Takes jobs and keeps their locks while they are worked on. The event loop has to stay free: the work belongs into threads.
 * A job that comes twice (its lock was lost, or Redis was emptied) while this process works on it is not begun again.
 */
export class JobWorker {
  readonly id = randomUUID();
  readonly #options: JobWorkerOptions;
  readonly #redis: Redis;
  readonly #subscriber: Redis;
  readonly #worker: Worker;
  readonly #held = new Map<string, { stop: AbortController; runId: string; done: Promise<JobResult> }>();
  readonly #heart: NodeJS.Timeout;

  private constructor(options: JobWorkerOptions, redis: Redis, subscriber: Redis) {
    this.#options = options;
    this.#redis = redis;
    this.#subscriber = subscriber;
    const lockDuration = Math.round(options.lockMilliseconds ?? 15_000);
    const prefix = options.connection.prefix ?? defaultPrefix;
    this.#worker = new Worker(options.queue, (held, token) => this.#process(held, token!), {
      connection: redis,
      prefix,
      concurrency: options.concurrency,
      lockDuration,
      // a whole number: Redis refuses others, and the check then never happens
      stalledInterval: Math.max(500, Math.round(lockDuration / 3)),
      // attempts are counted in the store, which does not forget
      maxStalledCount: 1_000_000,
      drainDelay: 5,
      runRetryDelay: 1_000,
    });
    this.#worker.on('error', (error) => options.onError?.(error));
    const { stop } = keysOf(prefix);
    subscriber.on('message', (_channel: string, runId: string) => {
      this.stopRun(runId);
    });
    // kept up by ioredis over every reconnection
    subscriber.subscribe(stop).catch((error: unknown) => options.onError?.(error as Error));
    this.#heart = setInterval(() => void this.#announce(), (presenceSeconds * 1000) / 3);
    void this.#announce();
  }

  /** @throws QueueError `unreachable`, `unsuitable-server`, `invalid-url` */
  static async start(options: JobWorkerOptions): Promise<JobWorker> {
    const redis = open(options.connection, `worker-${options.queue}`, 'patient');
    const subscriber = open(options.connection, `stop-${options.queue}`, 'patient');
    try {
      await whenReady(redis, connectMilliseconds);
      await checkServer(redis);
      return new JobWorker(options, redis, subscriber);
    } catch (error) {
      redis.disconnect();
      subscriber.disconnect();
      throw error;
    }
  }

  /** Jobs in hand. */
  get active(): number {
    return this.#held.size;
  }

  /** The runs of the jobs in hand. */
  get runs(): ReadonlySet<string> {
    return new Set([...this.#held.values()].map(({ runId }) => runId));
  }

  /** @throws QueueError `unreachable` while Redis is away */
  async checkReady(): Promise<void> {
    if (this.#redis.status !== 'ready') throw away(this.#redis);
    await this.#redis.ping();
  }

  /** Aborts the jobs of a run that are in hand. */
  stopRun(runId: string): void {
    for (const held of this.#held.values())
      if (held.runId === runId) held.stop.abort('run-stopped' satisfies StopReason);
  }

  /** Takes no more jobs, aborts those in hand, and resolves when they are handed back. */
  async close(): Promise<void> {
    clearInterval(this.#heart);
    const closing = this.#worker.close();
    const held = [...this.#held.values()];
    for (const { stop } of held) stop.abort('shutdown' satisfies StopReason);
    // where Redis is away nothing can be handed back: the locks expire, which comes to the same
    const letGo = Promise.allSettled(held.map(({ done }) => done)).then(() => this.#untilAway());
    await Promise.race([closing, letGo]);
    const { workers } = keysOf(this.#options.connection.prefix ?? defaultPrefix);
    if (this.#redis.status === 'ready') await withdraw(this.#redis, workers, this.id).catch(() => undefined);
    this.#redis.disconnect();
    this.#subscriber.disconnect();
  }

  async #process(held: HeldJob, token: string): Promise<JobResult> {
    const job = jobSchema.parse(held.data);
    const id = jobIdOf(job);
    try {
      return await (this.#held.get(id)?.done ?? this.#begin(id, job, held));
    } catch (error) {
      if (!(error instanceof HandBack)) throw error;
      if (error.delayMilliseconds > 0) {
        await held.moveToDelayed(Date.now() + error.delayMilliseconds, token);
        throw new DelayedError();
      }
      await held.moveToWait(token);
      throw new WaitingError();
    }
  }

  #begin(id: string, job: Job, held: HeldJob): Promise<JobResult> {
    const stop = new AbortController();
    let reported = -Infinity;
    const report = (progress: JobProgress): void => {
      const now = performance.now();
      if (now - reported < progressMilliseconds || this.#redis.status !== 'ready') return;
      reported = now;
      // progress of a job that Redis forgot interests nobody
      held.updateProgress({ ...progress }).catch(() => undefined);
    };
    const done = this.#options
      .process({ id, job, loss: lossOf(held), isFirst: held.attemptsStarted <= 1, signal: stop.signal, report })
      .finally(() => this.#held.delete(id));
    this.#held.set(id, { stop, runId: job.runId, done });
    return done;
  }

  /** Resolves when Redis has been away for a while. */
  async #untilAway(): Promise<void> {
    for (let away = 0; away < closeMilliseconds; away = this.#redis.status === 'ready' ? 0 : away + 100) {
      await sleep(100, undefined, { ref: false });
    }
  }

  async #announce(): Promise<void> {
    const { presence, connection } = this.#options;
    if (presence === undefined || this.#redis.status !== 'ready') return;
    const { workers } = keysOf(connection.prefix ?? defaultPrefix);
    await announce(this.#redis, workers, { id: this.id, active: this.active, ...presence() }).catch(() => undefined);
  }
}

/** Redis's count of losses begins anew with every job that is made; the time of making tells them apart. */
function lossOf({ stalledCounter, timestamp }: HeldJob): string | null {
  return stalledCounter > 0 ? `${timestamp}-${stalledCounter}` : null;
}
