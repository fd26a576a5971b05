import { failureInThread, ThreadsWhenAsked } from '@orchard/pipeline';
import { availableParallelism } from 'node:os';
import type { ServedQuestion } from '../serve-computations.js';
import { served } from '../serve-module.js';
import type { LocalRuns } from '../run-folder/local-runs.js';
import { StoreOfRuns } from './store-of-runs.js';

/** One person looks at a page: one question need not wait for another, and that is enough. */
const mostThreads = 2;
/** A question that still computes so long after its client left ends with its thread, as on a coordinator. */
const leftMilliseconds = 1_000;

/** The threads that models are asked in. They start with the first question. */
export class QuestionThreads {
  readonly #threads: ThreadsWhenAsked;

  constructor(runs: LocalRuns) {
    const threads = Math.min(mostThreads, availableParallelism());
    this.#threads = new ThreadsWhenAsked({ store: new StoreOfRuns(runs), threads });
  }

  /**
   * @param gone aborted when its client has left
   * @returns the answer in JSON
   */
  async ask(question: ServedQuestion, gone: AbortSignal): Promise<Uint8Array> {
    try {
      const call = await this.#threads.call(served);
      return await call<Uint8Array>('ask', question, { signal: gone, endedAfterMilliseconds: leftMilliseconds });
    } catch (error) {
      throw failureInThread(error);
    }
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}
