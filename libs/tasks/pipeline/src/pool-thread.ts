import { posted } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import type { AsyncResource } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import { builtModule } from './built-module.js';
import type { ComputeHooks } from './compute.js';
import { PipelineError } from './errors.js';
import { bySources } from './source-positions.js';
import { errorOf, transferables, type FromThread, type ThreadStart, type ToThread } from './thread-messages.js';

/** Data as a pool counts it. Threads from `threads` on have no workspace in it. */
export interface OpenData {
  readonly number: number;
  readonly handle: unknown;
  readonly threads: number;
}

/** A computation that was asked for. */
export interface WaitingCall {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
  readonly hooks: ComputeHooks;
  readonly data: OpenData | null;
  readonly cancel: Int32Array;
  /** Of the caller: what the thread requests on the way is part of its request. */
  readonly context: AsyncResource;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One worker thread of a pool and the call that it has in hand. */
export class PoolThread {
  /** Resolves when the thread takes calls, rejects where it dies before. */
  readonly ready: Promise<void>;
  readonly death: Promise<void>;
  started = false;
  readonly #worker: Worker;
  readonly #attached = new Set<number>();
  #store: ObjectStore | null;
  #onFree: () => void;
  #current: WaitingCall | null = null;
  #lastError: unknown = null;
  /** What ends it, where that is not a failure. */
  #ending: string | null = null;

  constructor(
    readonly start: ThreadStart,
    store: ObjectStore | null,
    onFree: () => void,
  ) {
    this.#store = store;
    this.#onFree = onFree;
    // no arguments of this process: tests resolve packages by a condition under which built code must not run
    this.#worker = new Worker(builtModule('task-thread', import.meta.url), {
      workerData: start,
      execArgv: [],
      name: `orchard-${start.thread}`,
    });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromThread) => {
        if (message.kind === 'ready') {
          this.started = true;
          resolve();
        } else if (this.#current === null) this.#hear(message);
        else this.#current.context.runInAsyncScope(() => this.#hear(message));
      });
      this.#worker.on('exit', () => reject(this.#lost()));
    });
    this.#worker.on('error', (error) => {
      this.#lastError = error;
    });
    this.death = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#settle()?.reject(this.#lost());
        resolve();
      });
    });
  }

  get busy(): boolean {
    return !this.started || this.#current !== null;
  }

  run(call: WaitingCall): void {
    const { module, name, input, hooks, data, cancel } = call;
    this.#current = call;
    const isKnown = data !== null && this.#attached.has(data.number);
    try {
      const message: ToThread = {
        kind: 'run',
        module,
        name,
        input,
        data: data === null ? null : { number: data.number, handle: isKnown ? null : data.handle },
        cancel,
        checkpointSeconds: hooks.checkpointSeconds,
        wantsCheckpoints: hooks.onCheckpoint !== undefined,
      };
      this.#post(message, hooks.transfer);
      if (data !== null) this.#attached.add(data.number);
    } catch (error) {
      this.#settle()?.reject(errorOf(posted(error), name));
      // what waits behind it would wait for ever
      this.#onFree();
    }
  }

  release({ number }: OpenData): void {
    if (this.#attached.delete(number)) this.#post({ kind: 'release', data: number });
  }

  /** Lets go of all data, and of the process: it may end. */
  leave(): void {
    for (const number of this.#attached) this.#post({ kind: 'release', data: number });
    this.#attached.clear();
    this.#onFree = () => undefined;
    this.#worker.unref();
  }

  /** Works for another pool from now on. */
  enter(store: ObjectStore | null, onFree: () => void): void {
    this.#store = store;
    this.#onFree = onFree;
    this.#worker.ref();
  }

  /** Whether it computes the call that has this sign. */
  has(cancel: Int32Array): boolean {
    return this.#current?.cancel === cancel;
  }

  /** @param by what it has in hand fails by */
  async end(by = 'a pool that was closed'): Promise<void> {
    this.#ending = by;
    await this.#worker.terminate();
  }

  #hear(message: Exclude<FromThread, { kind: 'ready' }>): void {
    switch (message.kind) {
      case 'progress':
        this.#current?.hooks.onProgress?.(message.progress);
        return;
      case 'checkpoint':
        this.#current?.hooks.onCheckpoint?.(message.bytes, message.round);
        return;
      case 'store':
        void this.#ask(message);
        return;
      case 'done':
        this.#settle()?.resolve(message.result);
        this.#onFree();
        return;
      case 'failed': {
        const call = this.#settle();
        call?.reject(errorOf(bySources(message.failure), call.hooks.what ?? call.name));
        this.#onFree();
      }
    }
  }

  /** Calls the store for the thread. */
  async #ask({ call, method, args }: FromThread & { kind: 'store' }): Promise<void> {
    try {
      if (this.#store === null) throw new Error(`${method} of a store, in a pool that has none`);
      const ask = this.#store[method].bind(this.#store) as (...args: readonly unknown[]) => Promise<unknown>;
      const answer: ToThread = { kind: 'answer', call, result: await ask(...args) };
      this.#post(answer, transferables(answer));
    } catch (error) {
      this.#post({ kind: 'refusal', call, failure: posted(error) });
    }
  }

  #settle(): WaitingCall | null {
    const call = this.#current;
    this.#current = null;
    return call;
  }

  #post(message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #lost(): PipelineError {
    if (this.#ending !== null) return interrupted(this.#ending);
    const got = this.#lastError === null ? 'its end' : String(this.#lastError);
    const [expected, where] = ['a thread that lives', `thread ${this.start.thread}`];
    const remedy = 'Run again: what is stored is kept.';
    return new PipelineError('thread-lost', { got, expected, where, remedy }, { cause: this.#lastError });
  }
}

export function interrupted(got: string): PipelineError {
  const remedy = 'Run again: it goes on from what is stored.';
  return new PipelineError('interrupted', { got, expected: 'time to finish', remedy });
}
