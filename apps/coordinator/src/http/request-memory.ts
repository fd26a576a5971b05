import { CoordinatorError } from '../errors.js';

/** What all requests under way may take in memory together. Whoever reads a body takes its share before the bytes come. */
export class RequestMemory {
  #taken = 0;

  constructor(
    readonly total: number,
    /** What raises the total, for messages. */
    private readonly setting: string,
  ) {}

  /** In bytes. */
  get taken(): number {
    return this.#taken;
  }

  /** One request's part, empty at first. */
  share(): MemoryShare {
    return new MemoryShare((own, bytes) => this.#take(own, bytes));
  }

  #take(own: number, bytes: number): void {
    if (own + bytes > this.total) {
      throw new CoordinatorError('too-large', {
        got: `a request that takes ${own + bytes} bytes of memory or more`,
        expected: `at most ${this.total}`,
        remedy: `Send less in one request, or raise ${this.setting}.`,
      });
    }
    if (this.#taken + bytes > this.total) {
      const input = {
        got: `a request that takes ${own + bytes} bytes of memory beside others that hold ${this.#taken - own}`,
        expected: `at most ${this.total} for all`,
        remedy: `Wait until others have ended, or raise ${this.setting}.`,
      };
      throw new CoordinatorError('unavailable', input, { headers: { 'Retry-After': '5' } });
    }
    this.#taken += bytes;
  }
}

export class MemoryShare {
  #own = 0;

  constructor(private readonly account: (own: number, bytes: number) => void) {}

  /** @throws CoordinatorError `too-large` for what never fits, `unavailable` for what does not fit now */
  take(bytes: number): void {
    this.account(this.#own, bytes);
    this.#own += bytes;
  }

  /** Gives back all of it; once more does nothing. */
  release(): void {
    this.take(-this.#own);
  }
}
