/** How long the same error is only counted. */
const quietMilliseconds = 60_000;
/** Different errors of one minute; more of them say no more. */
const mostKinds = 100;

/**
 * Logs each error once, and while it goes on once a minute, with how often it came. A server that refuses everything
 * would fill a disk otherwise. Errors whose words differ in numbers alone are the same.
 */
export class RepeatedErrors {
  readonly #seen = new Map<string, { at: number; quiet: number }>();

  constructor(
    private readonly log: { warn(fields: object, message: string): void },
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param what the line says of it */
  warn(error: unknown, what: string): void {
    const now = this.now();
    const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
    const key = `${what} ${text.replace(/[0-9a-f]*\d[0-9a-f]*/g, '#')}`;
    const known = this.#seen.get(key);
    if (known !== undefined && now - known.at < quietMilliseconds) {
      known.quiet++;
      return;
    }
    if (known === undefined && this.#seen.size >= mostKinds) this.#forget(now);
    this.#seen.set(key, { at: now, quiet: 0 });
    const times = known?.quiet ?? 0;
    this.log.warn({ err: error, ...(times > 0 && { timesBefore: times }) }, what);
  }

  /** What was said longest ago; all of it where all is new. */
  #forget(now: number): void {
    for (const [key, { at }] of this.#seen) if (now - at >= quietMilliseconds) this.#seen.delete(key);
    if (this.#seen.size >= mostKinds) this.#seen.clear();
  }
}
