import { failureInThread, ThreadPool, type Call } from '@orchard/pipeline';
import { availableParallelism } from 'node:os';
import type { ServedQuestion } from '../serve-computations.js';
import { served } from '../serve-module.js';
import type { LocalRuns } from './local-runs.js';
import { StoreOfRuns } from './store-of-runs.js';

/** One person looks at a page: one question need not wait for another, and that is enough. */
const mostThreads = 2;

/** The threads that models are asked in. They start with the first question. */
export class QuestionThreads {
  #pool: Promise<ThreadPool> | null = null;

  constructor(private readonly runs: LocalRuns) {}

  /**
   * @param gone aborted when its client has left
   * @returns the answer in JSON
   */
  async ask(question: ServedQuestion, gone: AbortSignal): Promise<Uint8Array> {
    try {
      const call = await this.#call();
      return await call<Uint8Array>('ask', question, { signal: gone });
    } catch (error) {
      throw failureInThread(error);
    }
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => null);
    await pool?.close();
  }

  async #call(): Promise<Call> {
    const threads = Math.min(mostThreads, availableParallelism());
    this.#pool ??= ThreadPool.start({ store: new StoreOfRuns(this.runs), threads }).catch((error: unknown) => {
      this.#pool = null;
      throw error;
    });
    return (await this.#pool).call(served);
  }
}
