import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { builtModule, failureInThread, ThreadPool, type Call } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { computations } from './computations.js';
import type { Config } from './config.js';
import { CoordinatorError } from './errors.js';
import { RequestMemory } from './http/request-memory.js';
import { ModelStore } from './networks/model-store.js';
import { Port } from './ports.js';

/** Requests that may wait for a thread, for each thread: with more the last would wait for minutes. */
const WAITING_A_THREAD = 8;

/**
 * The threads that compute what requests ask for. The main thread reads bodies and writes answers: whatever one request
 * has computed, another is answered meanwhile. They start with the first request that needs one.
 */
@Injectable()
export class RequestThreads implements OnModuleDestroy {
  readonly #threads: number;
  readonly #store: ObjectStore;
  #pool: Promise<ThreadPool> | null = null;
  #underWay = 0;

  constructor(
    @Inject(Port.config) config: Pick<Config, 'requestThreads' | 'networkCacheBytes'>,
    @Inject(Port.store) store: ObjectStore,
    @Inject(RequestMemory) memory: RequestMemory,
  ) {
    this.#threads = config.requestThreads;
    this.#store = new ModelStore(store, config.networkCacheBytes, memory);
  }

  /**
   * @param transfer buffers that the thread gets instead of copies of them
   * @throws what the computation throws; CoordinatorError `unavailable` where too many wait; PipelineError
   *   `interrupted` for a client that left
   */
  async call<Result>(
    name: keyof typeof computations,
    input: unknown,
    signal: AbortSignal,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Result> {
    if (this.#underWay >= this.#threads * (1 + WAITING_A_THREAD)) throw crowded(this.#underWay);
    this.#underWay += 1;
    try {
      return await (
        await this.#call()
      )<Result>(name, input, { signal, transfer });
    } catch (error) {
      throw ownError(error);
    } finally {
      this.#underWay -= 1;
    }
  }

  async onModuleDestroy(): Promise<void> {
    const pool = await this.#pool?.catch(() => null);
    await pool?.close();
  }

  async #call(): Promise<Call> {
    this.#pool ??= ThreadPool.start({ store: this.#store, threads: this.#threads }).catch((error: unknown) => {
      this.#pool = null;
      throw error;
    });
    const module = builtModule('computations', import.meta.url);
    return (await this.#pool).call({ module, functions: computations });
  }
}

/** What the computation threw; where that passes, with when to ask again. */
function ownError(error: unknown): unknown {
  const own = failureInThread(error);
  if (!isRefusal(own, 'unavailable') || own.name !== CoordinatorError.name) return own;
  return new CoordinatorError('unavailable', own, { cause: own, headers: { 'Retry-After': '5' } });
}

function crowded(underWay: number): CoordinatorError {
  const input = {
    got: `${underWay} requests that compute or wait to`,
    expected: 'fewer',
    remedy: 'Ask again in a few seconds, or use the command line with the model.',
  };
  return new CoordinatorError('unavailable', input, { headers: { 'Retry-After': '5' } });
}
