import type { Kernel } from '@orchard/kernel';
import type { ObjectStore } from '@orchard/storage';
import { checkpointsByClock } from './checkpoint-clock.js';
import type { Call, Compute, ComputationContext, Computations, ComputeHooks, DataRequest } from './compute.js';
import { roomHere } from './room-here.js';
import { ThreadPool, type SharedData } from './thread-pool.js';

export interface LocalComputeOptions {
  readonly store: ObjectStore;
  readonly threads: number;
  readonly kernel: Kernel['kind'];
  /**
   * Called with what the caller should know, a sentence: that there is memory for fewer threads than were asked for.
   */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

/** Data in memory, and the tasks that use them. */
interface Resident {
  readonly shared: Promise<SharedData>;
  users: number;
}

/**
 * Computes on this machine for one run: on data, in threads that share one copy of it; without, in the calling thread,
 * which has nothing else to do. Threads and data are made when they are first needed: a run that is all there needs
 * neither.
 */
export class LocalCompute implements Compute {
  readonly call: Call;
  readonly threads: number;
  readonly #residents = new Map<string, Resident>();
  #pool: Promise<ThreadPool> | null = null;

  constructor(
    private readonly computations: Computations,
    private readonly options: LocalComputeOptions,
  ) {
    this.threads = options.threads;
    this.call = (name, input, hooks = {}) => this.#here(name, input, hooks);
  }

  async withData<Result>(request: DataRequest, work: (call: Call) => Promise<Result>): Promise<Result> {
    let resident = this.#residents.get(request.key);
    if (resident === undefined) {
      this.#letGo();
      resident = { shared: this.#open(request), users: 0 };
      this.#residents.set(request.key, resident);
    }
    resident.users++;
    try {
      return await work((await resident.shared).call(this.computations));
    } finally {
      resident.users--;
    }
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => null);
    await pool?.close();
  }

  /** Before other data are arranged, those that are not in use go: a run may have as many as it has members. */
  #letGo(): void {
    for (const [key, { shared, users }] of this.#residents) {
      if (users > 0) continue;
      this.#residents.delete(key);
      // data that could not be arranged have already failed their callers
      shared.then(
        (data) => data.release(),
        () => undefined,
      );
    }
  }

  async #open(request: DataRequest): Promise<SharedData> {
    const { threads: asked, onNotice } = this.options;
    const { threads } = request.fit(asked, roomHere());
    if (threads < asked) {
      onNotice?.(
        `There is memory for this data on ${threads} of the ${asked} threads that were asked for: using ${threads}.`,
      );
    }
    const { name, input } = request.arrange(threads);
    this.#pool ??= ThreadPool.start({ ...this.options, threads });
    // the data is arranged while the threads start; whichever fails, the pool is there to be closed
    const [pool, handle] = await Promise.allSettled([this.#pool, this.#here(name, input, {})]);
    if (pool.status === 'rejected') throw pool.reason;
    if (handle.status === 'rejected') throw handle.reason;
    return pool.value.share(handle.value, threads);
  }

  async #here<Result>(name: string, input: unknown, hooks: ComputeHooks): Promise<Result> {
    const { store, kernel } = this.options;
    const { signal, onProgress, onCheckpoint, checkpointSeconds } = hooks;
    const context: ComputationContext = {
      thread: 0,
      store,
      kernel,
      data: () => {
        throw new Error(`${name} wants data, which only threads have`);
      },
      isCancelled: () => signal?.aborted ?? false,
      onProgress: (progress) => onProgress?.(progress),
      checkpoint: checkpointsByClock(onCheckpoint, checkpointSeconds),
    };
    return (await this.computations.functions[name]!(input, context)) as Result;
  }
}
