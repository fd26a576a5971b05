import type { Kernel, TrainingData } from '@orchard/kernel';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PipelineError } from './errors.js';
import type { Failure, FromThread, ThreadStart, ToThread } from './thread-messages.js';
import type { ConditionalTask, TaskHooks, TaskOutcome, Trainer } from './trainer.js';

export interface ThreadPoolOptions {
  /** @default all cores */
  readonly threads?: number | undefined;
  /** @default 'wasm' */
  readonly kernel?: Kernel['kind'] | undefined;
}

/** A trainer on data that every thread of a pool has in view. */
export interface PooledTrainer extends Trainer {
  /** Lets go of the data in every thread; tasks that still wait for a thread fail. */
  release(): void;
}

interface WaitingTask {
  readonly data: OpenData;
  readonly task: ConditionalTask;
  readonly hooks: TaskHooks;
  readonly cancel: Int32Array;
  readonly resolve: (outcome: TaskOutcome) => void;
  readonly reject: (error: PipelineError) => void;
}

interface OpenData {
  readonly number: number;
  readonly data: TrainingData;
  released: boolean;
}

/**
 * Threads that train one conditional each at a time, in the order of asking. The calling thread stays idle, so that locks
 * renew and progress is told. A pool of its own rather than a general one, because a thread has a number that is its
 * workspace in the shared data, keeps what it attached to, and is replaced under the same number when it dies, while the
 * other threads' work goes on.
 */
export class ThreadPool {
  readonly threads: number;
  readonly #kernel: Kernel['kind'];
  readonly #members: (PoolThread | null)[];
  readonly #waiting: WaitingTask[] = [];
  #opened = 0;
  #closed = false;

  private constructor(threads: number, kernel: Kernel['kind']) {
    this.threads = threads;
    this.#kernel = kernel;
    this.#members = Array.from({ length: threads }, () => null);
  }

  /** @throws PipelineError `bad-request` for a thread count that is none, `thread-lost` where threads cannot start */
  static async start({
    threads = availableParallelism(),
    kernel = 'wasm',
  }: ThreadPoolOptions = {}): Promise<ThreadPool> {
    if (!Number.isInteger(threads) || threads < 1 || threads > 1024) {
      const expected = 'a whole number from 1 to 1024';
      const remedy = 'Ask for as many threads as the machine has cores.';
      throw new PipelineError('bad-request', { got: `${threads} threads`, expected, where: 'threads', remedy });
    }
    const pool = new ThreadPool(threads, kernel);
    try {
      await Promise.all(pool.#members.map((_, number) => pool.#enlist(number)));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  /** @param data arranged for at least as many threads as the pool has */
  open(data: TrainingData): PooledTrainer {
    const open: OpenData = { number: this.#opened++, data, released: false };
    return {
      run: (task, hooks = {}) => this.#run(open, task, hooks),
      release: () => {
        open.released = true;
        for (const member of this.#members) member?.release(open);
        this.#dismiss((waiting) => waiting.data === open, 'data that was released');
      },
    };
  }

  /** Ends all threads at once. Tasks that run or wait fail with `interrupted`: cancel them first to keep their work. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#dismiss(() => true, 'a pool that was closed');
    await Promise.all(this.#members.map((member) => member?.end()));
  }

  #run(data: OpenData, task: ConditionalTask, hooks: TaskHooks): Promise<TaskOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed || data.released) {
        reject(interrupted(this.#closed ? 'a pool that was closed' : 'data that was released'));
        return;
      }
      const { signal } = hooks;
      const cancel = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const onAbort = (): void => {
        Atomics.store(cancel, 0, 1);
        this.#dismiss((waiting) => waiting.cancel === cancel, 'a task that was cancelled before its turn');
      };
      const settled = (): void => signal?.removeEventListener('abort', onAbort);
      this.#waiting.push({
        data,
        task,
        hooks,
        cancel,
        resolve: (outcome) => (settled(), resolve(outcome)),
        reject: (error) => (settled(), reject(error)),
      });
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted === true) onAbort();
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const member of this.#members) {
      if (member === null || member.busy) continue;
      const next = this.#waiting.shift();
      if (next === undefined) return;
      member.run(next);
    }
  }

  #dismiss(which: (waiting: WaitingTask) => boolean, why: string): void {
    for (let index = this.#waiting.length - 1; index >= 0; index--) {
      const waiting = this.#waiting[index]!;
      if (!which(waiting)) continue;
      this.#waiting.splice(index, 1);
      waiting.reject(interrupted(why));
    }
  }

  /** Starts the thread of that number, and again whenever it dies; one that cannot even start fails all that waits. */
  async #enlist(number: number): Promise<void> {
    const member = new PoolThread({ thread: number, kernel: this.#kernel }, () => {
      this.#dispatch();
    });
    void member.death.then(() => {
      this.#members[number] = null;
      if (this.#closed || !member.started) return;
      this.#enlist(number).catch(() => {
        if (this.#members.some((other) => other !== null)) return;
        this.#dismiss(() => true, 'threads that died and could not be replaced');
      });
    });
    this.#members[number] = member;
    await member.ready;
    this.#dispatch();
  }
}

/** One worker thread and the task that it has. */
class PoolThread {
  /** Resolves when the thread takes tasks, rejects where it dies before. */
  readonly ready: Promise<void>;
  readonly death: Promise<void>;
  started = false;
  readonly #worker: Worker;
  readonly #number: number;
  readonly #attached = new Set<number>();
  readonly #onFree: () => void;
  #current: WaitingTask | null = null;
  #lastError: unknown = null;
  #ending = false;

  constructor(start: ThreadStart, onFree: () => void) {
    this.#number = start.thread;
    this.#onFree = onFree;
    // no other arguments of this process: tests resolve packages by a condition under which built code must not run
    this.#worker = new Worker(entry, {
      workerData: start,
      execArgv: ['--enable-source-maps'],
      name: `orchard-${start.thread}`,
    });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromThread) => {
        if (message.kind !== 'ready') {
          this.#hear(message);
          return;
        }
        this.started = true;
        resolve();
      });
      this.#worker.on('exit', () => {
        reject(this.#lost());
      });
    });
    this.#worker.on('error', (error) => (this.#lastError = error));
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

  run(waiting: WaitingTask): void {
    const { data, task, hooks, cancel } = waiting;
    this.#current = waiting;
    this.#post({
      kind: 'run',
      data: data.number,
      handle: this.#attached.has(data.number) ? null : data.data.handle,
      task,
      cancel,
      checkpointSeconds: hooks.checkpointSeconds,
      wantsCheckpoints: hooks.onCheckpoint !== undefined,
    });
    this.#attached.add(data.number);
  }

  release({ number }: OpenData): void {
    if (this.#attached.delete(number)) this.#post({ kind: 'release', data: number });
  }

  async end(): Promise<void> {
    this.#ending = true;
    await this.#worker.terminate();
  }

  #hear(message: Exclude<FromThread, { kind: 'ready' }>): void {
    if (message.kind === 'progress') this.#current?.hooks.onProgress?.(message.progress);
    else if (message.kind === 'checkpoint') this.#current?.hooks.onCheckpoint?.(message.bytes, message.rounds);
    else {
      const task = this.#settle();
      if (message.kind === 'done') task?.resolve(message.outcome);
      else task?.reject(trainingFailed(message.failure, task.task.dimension));
      this.#onFree();
    }
  }

  #settle(): WaitingTask | null {
    const task = this.#current;
    this.#current = null;
    return task;
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #lost(): PipelineError {
    if (this.#ending) return interrupted('a pool that was closed');
    const got = this.#lastError === null ? 'its end' : String(this.#lastError);
    return new PipelineError(
      'thread-lost',
      {
        got,
        expected: 'a training thread that lives',
        where: `thread ${this.#number}`,
        remedy: 'Run again: what is stored is kept.',
      },
      { cause: this.#lastError },
    );
  }
}

/** Built JavaScript, also when this file is read as TypeScript (tests): a thread has no loader for that. */
const isSource = import.meta.url.endsWith('.ts');
const entry = new URL(isSource ? '../dist/training-thread.js' : './training-thread.js', import.meta.url);
function interrupted(got: string): PipelineError {
  const remedy = 'Run again: it goes on from what is stored.';
  return new PipelineError('interrupted', { got, expected: 'time to finish', remedy });
}

function trainingFailed(failure: Failure, dimension: number): PipelineError {
  const cause = new Error(failure.message);
  cause.name = failure.name;
  if (failure.stack !== undefined) cause.stack = failure.stack;
  return new PipelineError(
    'training-failed',
    {
      got: failure.got ?? failure.message,
      expected: failure.expected ?? 'a trained conditional',
      where: `dimension ${dimension}${failure.where === undefined ? '' : `, ${failure.where}`}`,
      remedy: failure.remedy ?? 'This is a defect: please report it with the data set and options.',
    },
    { cause },
  );
}
