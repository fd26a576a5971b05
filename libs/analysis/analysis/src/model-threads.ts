import { setImmediate } from 'node:timers/promises';
import type { KeptRule } from '@orchard/contracts';
import { builtModule, roomHere, ThreadPool, TIMES_OPENED, type Call } from '@orchard/pipeline';
import { computations } from './computations.js';

/** A thread takes a second and a half of its own to open a model and to compile: shorter work is done sooner here. */
const PAYS_MILLISECONDS = 3_000;
/** Rows of the first piece, which shows how long the rest takes. */
const FIRST_ROWS = 16;
/** However long rows take, a piece has so many at least. */
const FEWEST_ROWS = 16;

/** Where a model may be asked. */
export interface Threads {
  /** The model's file, which each thread opens. */
  readonly bytes: Uint8Array;
  readonly threads: number;
  /** Rows in all. @default as many as are announced part by part, where files are read on the way */
  readonly rows?: number;
  /** @param done rows of all, in no order */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** What the rest has to take here for threads to be started, in milliseconds. @default 3,000 */
  readonly pays?: number;
}

export interface Pieces {
  /** Rows of the first ones at most, which show whether threads are worth starting. */
  readonly first: readonly number[];
  /** What a later one should take at most, milliseconds of the processor. @default any time */
  readonly milliseconds?: number;
}

/** This thread alone. */
const HERE: Threads = { bytes: new Uint8Array(0), threads: 1 };

/** What threads are given to open a model. */
export interface ModelHandle {
  readonly bytes: Uint8Array;
  /** Null where none hold. */
  readonly rules: readonly KeptRule[] | null;
}

/**
 * Asks a model about rows piece by piece: here at first, and in threads as soon as the rest would take long here. No
 * piece depends on another, so that answers are the same wherever they are made. Behind each piece that is answered
 * here the event loop has a turn: progress is shown, and an interruption is heard.
 */
export class ModelThreads {
  readonly #where: Threads;
  #done = 0;
  #pieces = 0;
  #expected: number;
  /** What a row takes here, milliseconds of the processor: of the quickest piece, since the first compiles code. */
  #ofRow = Infinity;
  #pool: Promise<ThreadPool> | null = null;
  #call: Promise<Call> | null = null;
  readonly #threads: number;

  /** @param where null to answer here */
  constructor(
    where: Threads | null,
    private readonly rules: readonly KeptRule[] | null,
    private readonly pieces: Pieces = { first: [FIRST_ROWS] },
  ) {
    this.#where = where ?? HERE;
    const { rows = 0, bytes, threads } = this.#where;
    this.#expected = rows;
    const fitting = threads === 1 ? 1 : Math.floor(roomHere() / (TIMES_OPENED * Math.max(1, bytes.length)));
    this.#threads = Math.max(1, Math.min(threads, fitting));
  }

  /** How many pieces are to be asked for at a time. */
  get width(): number {
    return this.#call === null ? 1 : this.#threads + 1;
  }

  /** Rows of the next piece at most. */
  get mostRows(): number {
    const { first, milliseconds } = this.pieces;
    if (milliseconds === undefined && this.#threads === 1) return Infinity;
    const next = first[this.#pieces] ?? Infinity;
    if (milliseconds === undefined || this.#pieces === 0) return next;
    // also on one thread: how far it is is said between pieces
    return Math.min(next, Math.max(FEWEST_ROWS, Math.floor(milliseconds / this.#ofRow)));
  }

  /** So many more rows will be asked about. */
  expect(rows: number): void {
    this.#expected += rows;
  }

  /** @param rows of the piece */
  async ask<Result>(rows: number, here: () => Result, there: (call: Call) => Promise<Result>): Promise<Result> {
    if (this.#call === null && this.#paysToStart(rows)) this.#call = this.#start();
    const result = this.#call === null ? this.#timed(rows, here) : await there(await this.#call);
    this.#done += rows;
    this.#where.onProgress?.(this.#done);
    if (this.#call === null) await setImmediate();
    return result;
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => null);
    await pool?.close();
  }

  #timed<Result>(rows: number, here: () => Result): Result {
    const began = process.cpuUsage();
    const result = here();
    const { user, system } = process.cpuUsage(began);
    this.#ofRow = Math.min(this.#ofRow, (user + system) / 1_000 / Math.max(1, rows));
    this.#pieces++;
    return result;
  }

  /**
   * By the processor's time, since a machine that others use would make all work look long.
   *
   * @param next rows of the next piece: the last one gains nothing by threads
   */
  #paysToStart(next: number): boolean {
    const left = this.#expected - this.#done;
    if (this.#threads === 1 || this.#pieces < this.pieces.first.length || left <= next) return false;
    // where it is not known how much is to come, what was done is the best guess
    const rows = this.#where.rows === undefined ? Math.max(left, this.#done) : left;
    return this.#ofRow * rows >= (this.#where.pays ?? PAYS_MILLISECONDS);
  }

  async #start(): Promise<Call> {
    this.#pool = ThreadPool.start({ threads: this.#threads });
    const pool = await this.#pool;
    const handle: ModelHandle = { bytes: this.#where.bytes, rules: this.rules };
    return pool.share(handle, this.#threads).call({
      module: builtModule('computations', import.meta.url),
      functions: computations,
    });
  }
}
