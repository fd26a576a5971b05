import type { AnsweringProcess } from './answering-process.js';

/**
 * Processes that commands run in, as many at a time as are allowed: further commands wait, in order. One that is
 * free is kept for the next command, which spares its start.
 */
export class ProcessPool {
  readonly #free: AnsweringProcess[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  /**
   * @param most at a time
   * @param start called where none is free
   */
  constructor(
    private readonly most: number,
    private readonly start: () => AnsweringProcess,
  ) {}

  /**
   * Has a process to itself for as long as `use` takes.
   *
   * @throws the reason of the signal, where it is aborted while this waits
   */
  async with<Result>(signal: AbortSignal, use: (process: AnsweringProcess) => Promise<Result>): Promise<Result> {
    await this.#turn(signal);
    const process = this.#free.pop() ?? this.start();
    try {
      return await use(process);
    } finally {
      this.#free.push(process);
      this.#next();
    }
  }

  /** Waits until one more command may run; who waited takes the place of who ended. */
  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#busy < this.most) {
      this.#busy += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onTurn = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(onTurn), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(onTurn);
    });
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next();
  }
}
