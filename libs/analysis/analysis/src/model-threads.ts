import type { KeptRule } from '@orchard/contracts';
import { builtModule, roomHere, ThreadPool, type Call } from '@orchard/pipeline';
import { computations } from './computations.js';

/** A thread takes a second and a half of its own to open a model and to compile: shorter work is done sooner here. */
const PAYS_MILLISECONDS = 3_000;
/** Rows of the first piece, which show how long the rest takes. */
const FIRST_ROWS = 16;
/** Of the bytes of a model's file, what each thread that opens it takes at most. */
const TIMES_OPENED = 20;

/** Where a model may be asked. */
export interface Threads {
  /** The model's file, which each thread opens. */
  readonly bytes: Uint8Array;
  readonly threads: number;
  /** Rows in all. */
  readonly rows: number;
  /** @param done rows of all, in no order */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** What the rest has to take here for threads to be started, in milliseconds. @default 3,000 */
  readonly pays?: number;
}

/** What threads are given to open a model. */
export interface ModelHandle {
  readonly bytes: Uint8Array;
  /** Null where none hold. */
  readonly rules: readonly KeptRule[] | null;
}

/**
 * Asks a model about rows piece by piece: here at first, and in threads as soon as the rest would take long here. No
 * piece depends on another, so that answers are the same wherever they are made.
 */
export class ModelThreads {
  #done = 0;
  #milliseconds = 0;
  #pool: Promise<ThreadPool> | null = null;
  #call: Promise<Call> | null = null;
  readonly #threads: number;

  constructor(
    private readonly where: Threads,
    private readonly rules: readonly KeptRule[] | null,
  ) {
    const fitting = Math.floor(roomHere() / (TIMES_OPENED * Math.max(1, where.bytes.length)));
    this.#threads = Math.max(1, Math.min(where.threads, fitting));
  }

  /** How many pieces are to be asked for at a time. */
  get width(): number {
    return this.#call === null ? 1 : this.#threads + 1;
  }

  /** Rows of the next piece at most. */
  get mostRows(): number {
    return this.#threads > 1 && this.#done === 0 ? FIRST_ROWS : Infinity;
  }

  /** @param rows of the piece */
  async ask<Result>(rows: number, here: () => Result, there: (call: Call) => Promise<Result>): Promise<Result> {
    if (this.#call === null && this.#paysToStart(rows)) this.#call = this.#start();
    let result: Result;
    if (this.#call === null) {
      const began = performance.now();
      result = here();
      this.#milliseconds += performance.now() - began;
    } else result = await there(await this.#call);
    this.#done += rows;
    this.where.onProgress?.(this.#done);
    return result;
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => null);
    await pool?.close();
  }

  /** @param next rows of the next piece: the last one gains nothing by threads */
  #paysToStart(next: number): boolean {
    const left = this.where.rows - this.#done;
    if (this.#threads === 1 || this.#done === 0 || left <= next) return false;
    return (this.#milliseconds / this.#done) * left >= (this.where.pays ?? PAYS_MILLISECONDS);
  }

  async #start(): Promise<Call> {
    this.#pool = ThreadPool.start({ threads: this.#threads });
    const pool = await this.#pool;
    const handle: ModelHandle = { bytes: this.where.bytes, rules: this.rules };
    return pool.share(handle, this.#threads).call({
      module: builtModule('computations', import.meta.url),
      functions: computations,
    });
  }
}
