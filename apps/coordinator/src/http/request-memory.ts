import { CoordinatorError } from '../errors.js';

/**
 * What all requests under way may take in memory together. The reader of a body takes its share before the bytes come.
 */
export class RequestMemory {
  readonly #taken = counter();

  constructor(
    readonly total: number,
    /** What raises the total, for messages. */
    private readonly setting: string,
  ) {}

  /** In bytes. */
  get taken(): number {
    return Number(Atomics.load(this.#taken, 0));
  }

  /** One request's part, empty at first. */
  share(): MemoryShare {
    const { total, setting } = this;
    return new MemoryShare({ total, setting, taken: this.#taken, own: counter() });
  }
}

/** What a share consists of. A thread that gets it can take more, beside all others. */
export interface SharedCounts {
  readonly total: number;
  readonly setting: string;
  readonly taken: BigInt64Array;
  readonly own: BigInt64Array;
}

export class MemoryShare {
  constructor(readonly counts: SharedCounts) {}

  /** @throws CoordinatorError `too-large` for what never fits, `unavailable` for what does not fit now */
  take(more: number): void {
    // readers estimate: what a row takes need not be whole
    const bytes = Math.ceil(more);
    const { total, setting, taken } = this.counts;
    const own = Number(Atomics.load(this.counts.own, 0));
    if (own + bytes > total) {
      throw new CoordinatorError('too-large', {
        got: `a request that takes ${own + bytes} bytes of memory or more`,
        expected: `at most ${total}`,
        remedy: `Send less in one request, or raise ${setting}.`,
      });
    }
    const before = Number(Atomics.add(taken, 0, BigInt(bytes)));
    if (before + bytes > total) {
      Atomics.sub(taken, 0, BigInt(bytes));
      const input = {
        got: `a request that takes ${own + bytes} bytes of memory beside others that hold ${before - own}`,
        expected: `at most ${total} for all`,
        remedy: `Wait until others have ended, or raise ${setting}.`,
      };
      throw new CoordinatorError('unavailable', input, { headers: { 'Retry-After': '5' } });
    }
    Atomics.add(this.counts.own, 0, BigInt(bytes));
  }

  /** Gives back all of it; once more does nothing. */
  release(): void {
    Atomics.sub(this.counts.taken, 0, Atomics.exchange(this.counts.own, 0, 0n));
  }
}

function counter(): BigInt64Array {
  return new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
}
