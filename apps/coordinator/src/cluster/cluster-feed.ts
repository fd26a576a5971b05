import { Inject, Injectable } from '@nestjs/common';
import { Port, type Ports } from '../ports.js';

/** Between two looks at what the cluster does. */
const LOOK_MILLISECONDS = 1_000;

/** What the cluster does, looked at once a second while somebody follows it, however many do; told when it has changed. */
@Injectable()
export class ClusterFeed {
  #watchers = 0;
  #version = 0;
  #newest: Buffer | null = null;
  #told = '';
  #timer: NodeJS.Timeout | null = null;
  readonly #waiting = new Set<() => void>();

  constructor(@Inject(Port.glance) private readonly glance: Ports['glance']) {}

  /** The newest glance, and the newest again whenever it has changed; whoever is slow gets none of those between. */
  async *follow(signal: AbortSignal): AsyncGenerator<Buffer, void> {
    this.#watchers += 1;
    if (this.#watchers === 1) {
      this.#newest = null;
      this.#told = '';
      void this.#look();
    }
    try {
      let seen = 0;
      while (!signal.aborted) {
        if (this.#newest !== null && this.#version > seen) {
          seen = this.#version;
          yield this.#newest;
        } else await this.#change(signal);
      }
    } finally {
      this.#watchers -= 1;
    }
  }

  async #look(): Promise<void> {
    if (this.#timer !== null) return;
    try {
      const text = JSON.stringify(await this.glance());
      if (text !== this.#told) this.#tell(text);
    } catch {
      // Redis is away: what was told stands, and the page sees that nothing new comes
    }
    if (this.#watchers === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#watchers > 0) void this.#look();
    }, LOOK_MILLISECONDS);
    this.#timer.unref();
  }

  #tell(text: string): void {
    this.#told = text;
    this.#newest = Buffer.from(`event: cluster\ndata: ${text}\n\n`);
    this.#version += 1;
    for (const done of [...this.#waiting]) done();
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }
}
