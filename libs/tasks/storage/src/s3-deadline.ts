/** The slowest transfer that is still waited for, in bytes per millisecond. */
const slowest = 50;

/** The time that one attempt of a request has: twice the time without progress, and more for every byte. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #begun = performance.now();
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param timeout how long a request may go without progress, in milliseconds */
  constructor(timeout: number, bytes: number) {
    this.#timeout = timeout;
    this.allow(bytes);
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** So many bytes are moved in all: how many an object has is known when its answer begins. */
  allow(bytes: number): void {
    clearTimeout(this.#timer);
    const passed = performance.now() - this.#begun;
    this.#timer = setTimeout(this.#end, Math.round(2 * this.#timeout + bytes / slowest - passed)).unref();
  }

  /** To be called when the attempt has ended. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  readonly #end = (): void =>
    this.#controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
}
