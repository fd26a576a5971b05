import { Injectable } from '@nestjs/common';

/** Yields states as they change; begins anew with each call. */
export type StateSource = (signal: AbortSignal) => AsyncIterable<object>;

/**
 * What changes, for all who follow it. However many they are, a state is computed and written out once for each change,
 * and only when one of them has sent all it was given: who reads slowly gets the newest state, and no state is kept but
 * that one.
 */
@Injectable()
export class EventFeeds {
  readonly #feeds = new Map<string, Feed>();

  /** What a client follows. */
  get open(): number {
    return this.#feeds.size;
  }

  /**
   * The newest state, and the newest again whenever it is asked for and has changed; ends when the source does, or when
   * `signal` aborts.
   *
   * @param event - the name of the events
   * @param key - the same source has the same key
   * @throws whatever ends the source
   */
  async *follow(event: string, key: string, source: StateSource, signal: AbortSignal): AsyncGenerator<Buffer, void> {
    const name = `${event} ${key}`;
    const feed = this.#feeds.get(name) ?? this.#begin(event, name, source);
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
      if (feed.watchers === 0) this.#forget(name, feed);
    }
  }

  #begin(event: string, name: string, source: StateSource): Feed {
    const feed = new Feed(event, source, () => this.#forget(name, feed));
    this.#feeds.set(name, feed);
    return feed;
  }

  #forget(name: string, feed: Feed): void {
    feed.stop();
    if (this.#feeds.get(name) === feed) this.#feeds.delete(name);
  }
}

/** One source, asked while a client waits for news. */
class Feed {
  watchers = 0;
  version = 0;
  newest: Buffer | null = null;
  end: { readonly error: unknown } | null = null;
  readonly #stopping = new AbortController();
  readonly #waiting = new Set<() => void>();
  #demand: (() => void) | null = null;

  constructor(
    private readonly event: string,
    source: (signal: AbortSignal) => AsyncIterable<object>,
    onEnd: () => void,
  ) {
    this.#pump(source(this.#stopping.signal))
      .then(
        () => {
          this.end = { error: undefined };
        },
        (error: unknown) => {
          this.end = { error };
        },
      )
      .finally(() => {
        onEnd();
        this.#tell();
      });
  }

  /** Resolves with the next state, the end, or when `signal` aborts. */
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

  async #pump(states: AsyncIterable<object>): Promise<void> {
    for await (const state of states) {
      if (this.#stopping.signal.aborted) return;
      this.newest = Buffer.from(`event: ${this.event}\ndata: ${JSON.stringify(state)}\n\n`);
      this.version += 1;
      this.#tell();
      // no client waits: nothing is computed until one does
      if (this.#waiting.size === 0)
        await new Promise<void>((resolve) => {
          this.#demand = resolve;
        });
      this.#demand = null;
      if (this.#stopping.signal.aborted) return;
    }
  }

  #tell(): void {
    for (const done of [...this.#waiting]) done();
  }
}
