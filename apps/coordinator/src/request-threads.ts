import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { builtModule, failureInThread, ThreadsWhenAsked } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import type { Request } from 'express';
import { computations } from './computations.js';
import type { Config } from './config.js';
import { CoordinatorError } from './errors.js';
import { signalOf } from './http/client-signal.js';
import { FairTurns } from './http/fair-turns.js';
import { callerOf } from './http/rate-limit.js';
import { RequestMemory } from './http/request-memory.js';
import { ModelStore } from './networks/model-store.js';
import { Port } from './ports.js';

const module = builtModule('computations', import.meta.url);

/** Requests that may wait for a thread, for each thread: with more the last would wait for minutes. */
const WAITING_A_THREAD = 8;
/**
 * What still computes so long after its client left is ended with its thread: others wait for it. A thread that begins
 * takes about as long, and opens the models that it is asked for once more.
 */
const LEFT_MILLISECONDS = 1_000;
/** While a thread reads rows it has copies of them on disk, which it removes at the end: it is let come to it. */
const onDisk: readonly (keyof typeof computations)[] = ['readRows', 'describeTable', 'splitTable'];

/**
 * The threads that compute what requests ask for. The main thread reads bodies and writes answers: whatever one request
 * has computed, another is answered meanwhile. They start with the first request that needs one.
 */
@Injectable()
export class RequestThreads implements OnModuleDestroy {
  readonly #threads: ThreadsWhenAsked;
  readonly #turns: FairTurns;

  constructor(
    @Inject(Port.config) config: Pick<Config, 'requestThreads' | 'networkCacheBytes'>,
    @Inject(Port.store) store: ObjectStore,
    @Inject(RequestMemory) memory: RequestMemory,
  ) {
    const threads = config.requestThreads;
    this.#turns = new FairTurns(threads, threads * WAITING_A_THREAD);
    this.#threads = new ThreadsWhenAsked({ store: new ModelStore(store, config.networkCacheBytes, memory), threads });
  }

  /**
   * @param request that it is for: when its turn comes hangs on its caller, and none waits for a client that left
   * @param transfer buffers that the thread gets instead of copies of them
   * @throws what the computation throws; CoordinatorError `unavailable` where too many wait; PipelineError
   *   `interrupted` for a client that left
   */
  async call<Result>(
    name: keyof typeof computations,
    input: unknown,
    request: Request,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Result> {
    const signal = signalOf(request);
    return this.#turns.take(callerOf(request), signal, async () => {
      try {
        const call = await this.#threads.call({ module, functions: computations });
        const endedAfterMilliseconds = onDisk.includes(name) ? undefined : LEFT_MILLISECONDS;
        return await call<Result>(name, input, { signal, transfer, endedAfterMilliseconds });
      } catch (error) {
        throw ownError(error);
      }
    });
  }

  onModuleDestroy(): Promise<void> {
    return this.#threads.close();
  }
}

/** What the computation threw; where that passes, with when to ask again. */
function ownError(error: unknown): unknown {
  const own = failureInThread(error);
  if (!isRefusal(own, 'unavailable') || own.name !== CoordinatorError.name) return own;
  return new CoordinatorError('unavailable', own, { cause: own, headers: { 'Retry-After': '5' } });
}
