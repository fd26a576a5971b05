import { CoordinatorError } from '../errors.js';

export interface StreamLimits {
  /** Event streams of one token at once, without tokens of one address. */
  readonly perCaller: number;
  readonly total: number;
}

/** Counts the event streams that are open, each a connection and a run's status held in memory. */
export class StreamSlots {
  readonly #byCaller = new Map<string, number>();
  #open = 0;

  constructor(private readonly limits: StreamLimits) {}

  /** In all. */
  get open(): number {
    return this.#open;
  }

  /**
   * @returns gives the slot back, once
   * @throws CoordinatorError `too-many-requests` for one caller's, `unavailable` for everybody's
   */
  enter(caller: string): () => void {
    const { perCaller, total } = this.limits;
    const own = this.#byCaller.get(caller) ?? 0;
    const remedy = 'Close streams that no client reads, or ask for GET /v1/runs/:id now and then.';
    const headers = { 'Retry-After': '10' };
    if (own >= perCaller) {
      const input = { got: `event stream number ${own + 1} of one token`, expected: `at most ${perCaller}`, remedy };
      throw new CoordinatorError('too-many-requests', input, { headers });
    }
    if (this.#open >= total) {
      const input = { got: `event stream number ${total + 1}`, expected: `at most ${total} at once`, remedy };
      throw new CoordinatorError('unavailable', input, { headers });
    }
    this.#byCaller.set(caller, own + 1);
    this.#open += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#open -= 1;
      const others = this.#byCaller.get(caller)! - 1;
      if (others === 0) this.#byCaller.delete(caller);
      else this.#byCaller.set(caller, others);
    };
  }
}
