import { CoordinatorError } from '../errors.js';

/**
 * Lets so many requests compute at once. The others wait, and their callers take turns: one who asks now and then waits
 * for one request of each other, however many these have sent.
 */
export class FairTurns {
  #computing = 0;
  #waits = 0;
  /** What begins each that waits, by its caller; the caller whose turn is next is the first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /**
   * @param gone aborted when the client has left: it waits no more, and has no turn
   * @throws CoordinatorError `unavailable` where too many wait, of a caller of whom some do
   */
  async take<T>(caller: string, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (gone.aborted) throw new CoordinatorError('invalid-request', clientGone);
    if (this.#computing < this.atOnce) this.#computing += 1;
    else await this.#turn(caller, gone);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(caller: string, gone: AbortSignal): Promise<void> {
    const own = this.#waiting.get(caller) ?? [];
    if (own.length > 0 && this.#waits >= this.mostWaiting) throw crowded(this.#computing + this.#waits);
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        gone.removeEventListener('abort', leave);
        this.#waits -= 1;
        resolve();
      };
      const leave = (): void => {
        own.splice(own.indexOf(begin), 1);
        if (own.length === 0) this.#waiting.delete(caller);
        this.#waits -= 1;
        reject(new CoordinatorError('invalid-request', clientGone));
      };
      gone.addEventListener('abort', leave, { once: true });
      own.push(begin);
      this.#waits += 1;
      this.#waiting.set(caller, own);
    });
  }

  /** What has ended makes room for the next, of the caller whose turn it is. */
  #next(): void {
    for (const [caller, own] of this.#waiting) {
      this.#waiting.delete(caller);
      const begin = own.shift()!;
      // behind all others
      if (own.length > 0) this.#waiting.set(caller, own);
      begin();
      return;
    }
    this.#computing -= 1;
  }
}

const clientGone = { got: 'a client that left', expected: 'one that waits', remedy: 'Ask again.' };

function crowded(underWay: number): CoordinatorError {
  const input = {
    got: `${underWay} requests that compute or wait to`,
    expected: 'fewer',
    remedy: 'Ask again in a few seconds, or use the command line with the model.',
  };
  return new CoordinatorError('unavailable', input, { headers: { 'Retry-After': '5' } });
}
