import { Worker, type Job as BullJob } from 'bullmq';
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
    if (this.paused) return this.nextJobFromJobData();
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

  override close(force?: boolean): Promise<void> {
    this.#ending.abort();
    return super.close(force);
  }

  /** Whether the connection by which it waits for jobs is there, or is within this time. */
  async isBlockingReady(milliseconds: number): Promise<boolean> {
    const client = this.backend.blockingClient;
    if (client === undefined) return false;
    const late = sleep(milliseconds, null, { ref: false });
    const found = await Promise.race([client.catch(() => null), late]);
    return found !== null && found.status === 'ready';
  }

  async #rest(): Promise<void> {
    await sleep(this.#pause, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    this.#pause = Math.min(2 * this.#pause, mostMilliseconds);
  }
}
