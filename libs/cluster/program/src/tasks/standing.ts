import { isRefusal } from '@orchard/refusal';
import type { ByteRange, ListOptions, ObjectEntry, ObjectStore, PutResult } from '@orchard/storage';
import { randomUUID } from 'node:crypto';

/** From the first refusal to the next try; then doubled with each that is refused too. */
const leastMilliseconds = 5_000;
const mostMilliseconds = 300_000;
/** Who cannot reach the store is to notice soon that it is back. */
const mostAwayMilliseconds = 10_000;
/** A try of a put is as large as what was refused, up to this: a quota may have room for a few bytes and no more. */
const mostTriedBytes = 2 ** 20;
/** Below it a worker may delete what it wrote, and garbage collection removes what is left. */
const triedFolder = 'runs/probe/checkpoints/';

export interface StandingOptions {
  /** The worker as people call it, `Worker host-7`. */
  readonly who: string;
  /** Called when it sets itself aside, and when it is back. */
  readonly onChange: () => void;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/**
 * Whether a worker may take tasks. What the store refuses it (its key, a quota, an endpoint) is not the fault of a
 * task, and would be refused to the next task too. The worker sets itself aside, tries again what was refused, after
 * 5 s, 10 s and so on to five minutes, and takes tasks again when that succeeds. A worker whose tasks are refused again
 * after that waits longer than the last time, until it has stored one.
 */
export class Standing {
  #aside: { readonly why: string; readonly since: number } | null = null;
  #pause = leastMilliseconds;
  #timer: NodeJS.Timeout | null = null;
  #again: () => Promise<unknown> = () => Promise.resolve();

  constructor(private readonly options: StandingOptions) {}

  get isAside(): boolean {
    return this.#aside !== null;
  }

  /** What people should know of it, a sentence or two; null where it takes tasks. */
  get notice(): string | null {
    if (this.#aside === null) return null;
    const since = new Date(this.#aside.since).toISOString();
    return `${this.options.who} takes no tasks since ${since}: ${this.#aside.why} It tries again by itself, within ${Math.round(this.#pause / 1000)} s.`;
  }

  /** @param again what was refused, or as much of it as shows whether it still is */
  refused(error: Error, again: () => Promise<unknown>): void {
    this.#again = again;
    if (this.#aside !== null) return;
    this.#aside = { why: error.message, since: Date.now() };
    this.options.log.warn({ err: error }, 'the store refuses this worker: it takes no tasks until that is over');
    this.options.onChange();
    // at once: where one object alone cannot be read, there is nothing to wait for
    this.#tryIn(0, false);
  }

  /** A task was stored: what was refused before is over. */
  stored(): void {
    if (this.#aside === null) this.#pause = leastMilliseconds;
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #tryIn(milliseconds: number, isLonger: boolean): void {
    if (isLonger) this.#pause = Math.min(2 * this.#pause, mostMilliseconds);
    this.#timer = setTimeout(() => void this.#try(), milliseconds);
    this.#timer.unref();
  }

  async #try(): Promise<void> {
    try {
      await this.#again();
    } catch (error) {
      const isAway = isRefusal(error, 'unavailable');
      this.#tryIn(isAway ? Math.min(this.#pause, mostAwayMilliseconds) : this.#pause, true);
      return;
    }
    this.#aside = null;
    this.#pause = Math.min(2 * this.#pause, mostMilliseconds);
    this.options.log.info({}, 'the store takes what it refused: this worker takes tasks again');
    this.options.onChange();
  }
}

/** Whether an error is the store's answer to a worker, and says nothing of the task. */
export function isStoreRefusal(error: unknown): boolean {
  return isRefusal(error, 'denied', 'denied-source', 'full', 'unsupported', 'invalid-configuration');
}

/** A store that reports what it refuses, with a way to find out whether it still does. */
export class ReportingStore implements ObjectStore {
  readonly #knownName: string;

  /** @param known an object that every program of the cluster may read */
  constructor(
    private readonly store: ObjectStore,
    known: string,
    private readonly refused: Standing['refused'],
  ) {
    this.#knownName = known;
  }

  put(name: string, bytes: Uint8Array): Promise<PutResult> {
    return this.#reported(
      () => this.store.put(name, bytes),
      () => this.#tryPut(bytes.length),
    );
  }

  get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    return this.#reported(
      () => this.store.get(name, range),
      () => this.#tryGet(),
    );
  }

  head(name: string): Promise<ObjectEntry | null> {
    return this.#reported(
      () => this.store.head(name),
      () => this.store.head(this.#knownName),
    );
  }

  list(prefix: string, options?: ListOptions): Promise<readonly ObjectEntry[]> {
    return this.#reported(
      () => this.store.list(prefix, options),
      () => this.store.list(prefix, { limit: 1 }),
    );
  }

  /** What may not be deleted does not keep a task from its result. */
  delete(name: string): Promise<void> {
    return this.store.delete(name);
  }

  async #reported<T>(ask: () => Promise<T>, again: () => Promise<unknown>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isStoreRefusal(error) || isRefusal(error, 'unavailable')) this.refused(error as Error, again);
      throw error;
    }
  }

  /** That nothing is there is an answer. */
  async #tryGet(): Promise<void> {
    await this.store.get(this.#knownName).catch((error: unknown) => {
      if (!isRefusal(error, 'missing')) throw error;
    });
  }

  async #tryPut(bytes: number): Promise<void> {
    const name = `${triedFolder}${randomUUID()}`;
    await this.store.put(name, new Uint8Array(Math.min(Math.max(1, bytes), mostTriedBytes)));
    await this.store.delete(name).catch(() => undefined);
  }
}
