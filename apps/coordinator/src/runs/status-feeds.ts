import { Inject, Injectable } from '@nestjs/common';
import { RunStatuses } from './run-statuses.js';

/** A run's status as it goes out: one buffer, whoever many read it. */
export type StatusEvent = Buffer;

/**
 * Statuses for all who follow a run. However many they are, a run's status is computed and written out once for each change, and only
 * when one of them has sent all it was given: who reads slowly gets the newest state, and no state is kept but that one.
 */
@Injectable()
export class StatusFeeds {
  readonly #feeds = new Map<string, StatusFeed>();

  constructor(@Inject(RunStatuses) private readonly statuses: RunStatuses) {}

  /** Runs that somebody follows. */
  get open(): number {
    return this.#feeds.size;
  }

  /**
   * The newest status, and the newest again whenever it is asked for and has changed; ends when the run does, or when `signal` aborts.
   *
   * @throws RunError `unknown-run`, and whatever ends the run's own stream
   */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<StatusEvent, void> {
    const feed = this.#feeds.get(id) ?? this.#begin(id);
    feed.watchers += 1;
    try {
      let seen = 0;
      while (!signal.aborted) {
        if (feed.newest !== null && feed.version > seen) {
          seen = feed.version;
          yield feed.newest;
        } else if (feed.end !== null) {
          if (feed.end.error !== undefined) throw feed.end.error;
          return;
        } else await feed.change(signal);
      }
    } finally {
      feed.watchers -= 1;
      if (feed.watchers === 0) this.#forget(id, feed);
    }
  }

  #begin(id: string): StatusFeed {
    const source = (signal: AbortSignal): AsyncIterable<object> => this.statuses.follow(id, signal);
    const feed = new StatusFeed(source, () => this.#forget(id, feed));
    this.#feeds.set(id, feed);
    return feed;
  }

  #forget(id: string, feed: StatusFeed): void {
    feed.stop();
    if (this.#feeds.get(id) === feed) this.#feeds.delete(id);
  }
}

/** One run's statuses, computed while somebody waits for one. */
class StatusFeed {
  watchers = 0;
  version = 0;
  newest: StatusEvent | null = null;
  end: { readonly error: unknown } | null = null;
  readonly #stopping = new AbortController();
  readonly #waiting = new Set<() => void>();
  #demand: (() => void) | null = null;

  constructor(source: (signal: AbortSignal) => AsyncIterable<object>, onEnd: () => void) {
    this.#pump(source(this.#stopping.signal))
      .then(
        () => (this.end = { error: undefined }),
        (error: unknown) => (this.end = { error }),
      )
      .finally(() => {
        onEnd();
        this.#tell();
      });
  }

  /** Resolves with the next status, the end, or when `signal` aborts. */
  change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
      this.#demand?.();
    });
  }

  stop(): void {
    this.#stopping.abort();
    this.#demand?.();
  }

  async #pump(statuses: AsyncIterable<object>): Promise<void> {
    for await (const status of statuses) {
      if (this.#stopping.signal.aborted) return;
      this.newest = Buffer.from(`event: status\ndata: ${JSON.stringify(status)}\n\n`);
      this.version += 1;
      this.#tell();
      // nobody waits: nothing is computed until somebody does
      if (this.#waiting.size === 0) await new Promise<void>((resolve) => (this.#demand = resolve));
      this.#demand = null;
      if (this.#stopping.signal.aborted) return;
    }
  }

  #tell(): void {
    for (const done of [...this.#waiting]) done();
  }
}
