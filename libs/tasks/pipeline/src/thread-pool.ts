import type { Kernel } from '@orchard/kernel';
import type { ObjectStore } from '@orchard/storage';
import { AsyncResource } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Computations, ComputeHooks } from './compute.js';
import { PipelineError } from './errors.js';
import { PoolThread, interrupted, type OpenData, type WaitingCall } from './pool-thread.js';
import { retire, takeSpare } from './spare-threads.js';

export interface ThreadPoolOptions {
  /** Of the computations that are called. @default they store nothing */
  readonly store?: ObjectStore | undefined;
  /** @default all cores */
  readonly threads?: number | undefined;
  /** @default 'wasm' */
  readonly kernel?: Kernel['kind'] | undefined;
  /** Called when a thread died and its replacement could not start; it is tried again. */
  readonly onThreadLost?: ((error: unknown) => void) | undefined;
}

/** Data that the threads of a pool have in view. */
export interface SharedData {
  readonly call: (computations: Computations) => Call;
  /** Lets go of the data in every thread; calls that still wait for a thread fail. */
  release(): void;
}

/** Waits before a thread is started again, by how often that failed: a machine out of memory may have some later. */
const restartMilliseconds = [0, 1_000, 5_000, 15_000, 60_000];

/**
 * Threads that run one computation each at a time, in the order of asking. The calling thread stays idle, so that locks
 * renew and progress is reported. A pool of its own rather than a general one, because a thread has a number that is
 * its workspace in shared data, keeps what it attached to, and is replaced under the same number when it dies, while
 * the other threads' work goes on.
 */
export class ThreadPool {
  readonly #members: (PoolThread | null)[];
  readonly #waiting: WaitingCall[] = [];
  readonly #closing = new AbortController();
  #opened = 0;

  private constructor(
    readonly threads: number,
    private readonly options: ThreadPoolOptions,
  ) {
    this.#members = Array.from({ length: threads }, () => null);
  }

  /** @throws PipelineError `bad-request` for a thread count that is none, `thread-lost` where threads cannot start */
  static async start(options: ThreadPoolOptions): Promise<ThreadPool> {
    const { threads = availableParallelism() } = options;
    if (!Number.isInteger(threads) || threads < 1 || threads > 1024) {
      const expected = 'a whole number from 1 to 1024';
      const remedy = 'Ask for as many threads as the machine has cores.';
      throw new PipelineError('bad-request', { got: `${threads} threads`, expected, where: 'threads', remedy });
    }
    const pool = new ThreadPool(threads, options);
    try {
      await Promise.all(pool.#members.map((_, number) => pool.#enlist(number)));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  /** Threads that take work now: fewer than {@link threads} while some that died could not be started again. */
  get alive(): number {
    return this.#members.filter((member) => member?.started === true).length;
  }

  /** Calls of computations that need no shared data. */
  call(computations: Computations): Call {
    return (name, input, hooks = {}) => this.#run(computations, name, input, hooks, null);
  }

  /** @param threads how many of the pool's have a workspace in the data: those with the lowest numbers */
  share(handle: unknown, threads: number): SharedData {
    const open: OpenData = { number: this.#opened++, handle, threads };
    let isReleased = false;
    return {
      call:
        (computations) =>
        (name, input, hooks = {}) =>
          isReleased
            ? Promise.reject(interrupted('data that was released'))
            : this.#run(computations, name, input, hooks, open),
      release: () => {
        isReleased = true;
        for (const member of this.#members) member?.release(open);
        this.#dismiss(({ data }) => data === open, interrupted('data that was released'));
      },
    };
  }

  /**
   * Ends all threads at once, but for those that `keepThreads` keeps. Calls that run or wait fail with
   * `interrupted`: cancel them first to keep their work.
   */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#dismiss(() => true, interrupted('a pool that was closed'));
    await Promise.all(this.#members.map((member) => (member === null ? undefined : retire(member))));
  }

  #run<Result>(
    { module }: Computations,
    name: string,
    input: unknown,
    hooks: ComputeHooks,
    data: OpenData | null,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#closing.signal.aborted) {
        reject(interrupted('a pool that was closed'));
        return;
      }
      const { signal, endedAfterMilliseconds } = hooks;
      const cancel = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      let ending: NodeJS.Timeout | undefined;
      const onAbort = (): void => {
        Atomics.store(cancel, 0, 1);
        if (endedAfterMilliseconds !== undefined) ending = setTimeout(() => this.#end(cancel), endedAfterMilliseconds);
        const isThis = (waiting: WaitingCall): boolean => waiting.cancel === cancel;
        this.#dismiss(isThis, interrupted('a task that was cancelled before its turn'));
      };
      const settled = (): void => {
        clearTimeout(ending);
        signal?.removeEventListener('abort', onAbort);
      };
      this.#waiting.push({
        module: module.href,
        name,
        input,
        hooks,
        data,
        cancel,
        context: new AsyncResource('orchard-computation'),
        resolve: (result) => {
          settled();
          resolve(result as Result);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted === true) onAbort();
      this.#dispatch();
    });
  }

  /** Ends the thread that has a call in hand; another is started in its place, as for any that dies. */
  #end(cancel: Int32Array): void {
    void this.#members.find((member) => member?.has(cancel) === true)?.end('a task that was cancelled');
  }

  /** Gives every idle thread the first waiting call that it can compute. */
  #dispatch(): void {
    for (const [number, member] of this.#members.entries()) {
      if (member === null || member.busy) continue;
      const next = this.#waiting.findIndex(({ data }) => data === null || number < data.threads);
      if (next >= 0) member.run(this.#waiting.splice(next, 1)[0]!);
    }
  }

  #dismiss(which: (waiting: WaitingCall) => boolean, error: PipelineError): void {
    for (let index = this.#waiting.length - 1; index >= 0; index--) {
      const waiting = this.#waiting[index]!;
      if (!which(waiting)) continue;
      this.#waiting.splice(index, 1);
      waiting.reject(error);
    }
  }

  /** Starts the thread of that number, and again whenever it dies. */
  async #enlist(number: number): Promise<void> {
    const { kernel = 'wasm', store = null } = this.options;
    const start = { thread: number, kernel };
    const onFree = (): void => this.#dispatch();
    const spare = takeSpare(start);
    spare?.enter(store, onFree);
    const member = spare ?? new PoolThread(start, store, onFree);
    void member.death.then(() => {
      this.#members[number] = null;
      if (member.started) void this.#replace(number);
    });
    this.#members[number] = member;
    await member.ready;
    this.#dispatch();
  }

  /**
   * Tries until there is a thread of that number again. What waits goes on waiting while there is another thread for
   * it.
   */
  async #replace(number: number): Promise<void> {
    for (let failures = 0; !this.#closing.signal.aborted; failures++) {
      const wait = restartMilliseconds[Math.min(failures, restartMilliseconds.length - 1)]!;
      if (wait > 0) await sleep(wait, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      if (this.#closing.signal.aborted) return;
      try {
        await this.#enlist(number);
        return;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        this.options.onThreadLost?.(error);
        // a call that no living thread can take is answered, so that its job goes to a worker that can
        this.#dismiss(
          ({ data }) => !this.#members.some((other, at) => other !== null && (data === null || at < data.threads)),
          noThread(error),
        );
      }
    }
  }
}

function noThread(cause: unknown): PipelineError {
  const got = 'threads that died and could not be started again';
  const remedy = 'Free memory on this machine; threads are started again by themselves.';
  return new PipelineError('thread-lost', { got, expected: 'a thread that lives', remedy }, { cause });
}
