import type { Logger } from 'pino';

/** Work that is done again and again, a pause after each time. */
export class Repeated {
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<unknown> = Promise.resolve();

  /** @param failed what the log says where it came to nothing */
  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly pauseMilliseconds: number,
    private readonly log: Logger,
    private readonly failed: string,
  ) {}

  start(): void {
    this.#timer = setTimeout(() => {
      this.#working = this.work()
        .catch((error: unknown) => {
          this.log.warn({ error }, this.failed);
        })
        .finally(() => {
          if (this.#timer !== null) this.start();
        });
    }, this.pauseMilliseconds);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#working;
  }
}
