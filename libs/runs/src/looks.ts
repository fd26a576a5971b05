export interface LooksOptions {
  /** One look at a run. */
  readonly look: (id: string) => Promise<void>;
  /** A look that failed; the next one begins anew. */
  readonly onError: (id: string, error: unknown) => void;
  /** The looks at a run that were asked for are over. */
  readonly onEnd: (id: string) => void;
  /** No further look follows then, though one was asked for. */
  readonly isStopped: () => boolean;
}

/** Looks at runs, at each one at a time: of any number that ask while one is under way, all are served by one more. */
export class Looks {
  readonly #options: LooksOptions;
  readonly #under = new Map<string, { running: Promise<void>; again: boolean }>();

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  /** Resolves when a look that began from now on has ended; never rejects. */
  at(id: string): Promise<void> {
    const under = this.#under.get(id);
    if (under !== undefined) {
      under.again = true;
      return under.running;
    }
    const look = { running: Promise.resolve(), again: false };
    this.#under.set(id, look);
    look.running = this.#run(id, look);
    return look.running;
  }

  /** From within a look: what it saw is out of date, another follows. */
  again(id: string): void {
    const under = this.#under.get(id);
    if (under !== undefined) under.again = true;
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#under.values()].map(({ running }) => running));
  }

  async #run(id: string, own: { again: boolean }): Promise<void> {
    const { look, onError, onEnd, isStopped } = this.#options;
    try {
      do {
        own.again = false;
        await look(id);
      } while (own.again && !isStopped());
    } catch (error) {
      onError(id, error);
    } finally {
      this.#under.delete(id);
      onEnd(id);
    }
  }
}
