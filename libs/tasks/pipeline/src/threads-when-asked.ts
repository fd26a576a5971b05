import type { Call, Computations } from './compute.js';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool.js';

/** Threads that start with the first call, and where that fails with the next: until then a program has none. */
export class ThreadsWhenAsked {
  #pool: Promise<ThreadPool> | null = null;

  constructor(private readonly options: ThreadPoolOptions) {}

  /** @throws PipelineError `thread-lost` where they cannot start */
  async call(computations: Computations): Promise<Call> {
    this.#pool ??= ThreadPool.start(this.options).catch((error: unknown) => {
      this.#pool = null;
      throw error;
    });
    return (await this.#pool).call(computations);
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => null);
    await pool?.close();
  }
}
