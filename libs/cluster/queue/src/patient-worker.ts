import { Worker, type Job as BullJob, type RedisClient } from 'bullmq';
import { setTimeout as sleep } from 'node:timers/promises';
import { isReply } from './replies.js';
import type { JobResult } from './queues.js';

/** Between two questions to a server that answers with errors. */
const leastMilliseconds = 250;
const mostMilliseconds = 5_000;

/**
 * BullMQ's worker, with two habits more. It asks a server that refuses to hand out jobs (no replica, a full disk, a
 * busy script) less and less often: by itself it would ask thousands of times a second. And it takes no job once it is
 * paused, also where it was waiting for one.
 */
export class PatientWorker extends Worker<unknown, JobResult> {
  #pause = leastMilliseconds;
  readonly #ending = new AbortController();

  protected override async moveToActive(token: string, name?: string): Promise<BullJob<unknown, JobResult>> {
    if (this.paused || this.#ending.signal.aborted) return this.nextJobFromJobData();
    try {
      const job = await super.moveToActive(token, name);
      this.#pause = leastMilliseconds;
      return job;
    } catch (error) {
      if (isReply(error)) await this.#rest();
      throw error;
    }
  }

  /** Without a time it is asked to wait after its wait for a job has failed: BullMQ would wait a tenth of a second. */
  override delay(...given: Parameters<Worker['delay']>): Promise<void> {
    const [milliseconds] = given;
    return milliseconds === undefined ? this.#rest() : super.delay(...given);
  }

  override async close(force?: boolean): Promise<void> {
    this.#ending.abort();
    await this.#leavePause();
    return super.close(force);
  }

  /** Whether the connection by which it waits for jobs is there, or is within this time. */
  async isBlockingReady(milliseconds: number): Promise<boolean> {
    return (await this.#blocking(milliseconds))?.status === 'ready';
  }

  /**
   * BullMQ waits for the end of the connection by which it waits for jobs. One that is closed while it pauses before it
   * is made anew never says that it ended: the pause is cut short.
   */
  async #leavePause(): Promise<void> {
    const connection = await this.#blocking(0);
    if (connection?.status === 'reconnecting') connection.connect().catch(() => undefined);
  }

  /** @returns null where it is not made within this time */
  async #blocking(milliseconds: number): Promise<RedisClient | null> {
    const client = this.backend.blockingClient;
    if (client === undefined) return null;
    const late = sleep(milliseconds, null, { ref: false });
    return Promise.race([client.catch(() => null), late]);
  }

  async #rest(): Promise<void> {
    await sleep(this.#pause, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    this.#pause = Math.min(2 * this.#pause, mostMilliseconds);
  }
}
