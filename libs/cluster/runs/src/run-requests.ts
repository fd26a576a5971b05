export interface RunRequestsOptions {
  readonly reconcile: (id: string) => Promise<void>;
  /** One that failed. It is not repeated by itself, but what was requested meanwhile follows. */
  readonly onError: (id: string, error: unknown) => void;
  /** What was asked for about a run is over. */
  readonly onEnd: (id: string) => void;
  /** Nothing further follows then, though it was asked for. */
  readonly isStopped: () => boolean;
}

/**
 * Reconciles runs on request, each one at a time: of any number that ask while one is under way, all are served by one
 * more.
 */
export class RunRequests {
  readonly #under = new Map<string, { running: Promise<void>; again: boolean }>();

  constructor(private readonly options: RunRequestsOptions) {}

  /** Resolves when a reconciliation that began from now on has ended; never rejects. */
  of(id: string): Promise<void> {
    const under = this.#under.get(id);
    if (under !== undefined) {
      under.again = true;
      return under.running;
    }
    const request = { running: Promise.resolve(), again: false };
    this.#under.set(id, request);
    request.running = this.#run(id, request);
    return request.running;
  }

  /** From within a reconciliation: what it saw is out of date, another follows. */
  again(id: string): void {
    const under = this.#under.get(id);
    if (under !== undefined) under.again = true;
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#under.values()].map(({ running }) => running));
  }

  async #run(id: string, own: { again: boolean }): Promise<void> {
    const { reconcile, onError, onEnd, isStopped } = this.options;
    do {
      own.again = false;
      try {
        await reconcile(id);
      } catch (error) {
        onError(id, error);
      }
    } while (own.again && !isStopped());
    this.#under.delete(id);
    onEnd(id);
  }
}
