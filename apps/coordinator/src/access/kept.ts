/** For how long something that was fetched is good, in milliseconds. */
export interface Keeping {
  /** After this it is fetched again, behind the back of whoever asks. */
  readonly fresh: number;
  /** After this it is not gone by any more, though nothing newer is to be had. */
  readonly usable: number;
  /** Between two attempts at least. */
  readonly pause: number;
}

/**
 * Something of another machine that is fetched once for all who ask, and gone by while it is good: whoever asks waits for the first, and
 * where the last has become too old.
 */
export class Kept<T> {
  #last: { readonly value: T; readonly at: number } | null = null;
  #failure: { readonly error: unknown; readonly at: number } | null = null;
  #attempt: Promise<T> | null = null;

  constructor(
    private readonly fetch: () => Promise<T>,
    private readonly keeping: Keeping,
  ) {}

  /** @throws what fetching it threw, for as long as the pause without trying again */
  async get(): Promise<T> {
    const age = this.#last === null ? Infinity : Date.now() - this.#last.at;
    if (age < this.keeping.fresh) return this.#last!.value;
    if (age < this.keeping.usable) {
      if (!this.#isPausing()) this.#fetch().catch(() => undefined);
      return this.#last!.value;
    }
    if (this.#attempt === null && this.#failure !== null && this.#isPausing()) throw this.#failure.error;
    return this.#fetch();
  }

  /** Another than the last; null where the last attempt is too young for one more. */
  async newer(): Promise<T | null> {
    return this.#attempt === null && this.#isPausing() ? null : this.#fetch();
  }

  #isPausing(): boolean {
    const at = Math.max(this.#last?.at ?? -Infinity, this.#failure?.at ?? -Infinity);
    return Date.now() - at < this.keeping.pause;
  }

  #fetch(): Promise<T> {
    this.#attempt ??= this.fetch()
      .then(
        (value) => {
          this.#last = { value, at: Date.now() };
          return value;
        },
        (error: unknown) => {
          this.#failure = { error, at: Date.now() };
          throw error;
        },
      )
      .finally(() => {
        this.#attempt = null;
      });
    return this.#attempt;
  }
}
