/** What failed longer ago says nothing about now. */
const recentMilliseconds = 10_000;

/** What a server says of one object: it does its work. */
const saysOfAnObject = new Set(['ok', 'NoSuchKey', 'NotFound', 'PreconditionFailed']);

/**
 * What a server answered last, where that was a failure. Requests are tried again within, so who waits for one does not
 * see why: a server that is too busy and one that is away are both slow.
 */
export class LatestFailure {
  #latest: { readonly name: string; readonly at: number } | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @param outcome of one attempt: `ok`, or the name of the failure */
  observe(outcome: string): void {
    this.#latest = saysOfAnObject.has(outcome) ? null : { name: outcome, at: this.now() };
  }

  /** Null where the last attempt of late succeeded. */
  get name(): string | null {
    if (this.#latest === null || this.now() - this.#latest.at > recentMilliseconds) return null;
    return this.#latest.name;
  }
}
