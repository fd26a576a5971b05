import { OpenSpan, type Span } from './open-span.js';

/** Attempts of a run that share one span once the run has used up its own. */
const together = 100;
const flushMilliseconds = 30_000;
/** Runs that are remembered; the one that was heard of longest ago goes. */
const mostRuns = 500;

interface Spent {
  written: number;
  more: { attempts: number; seconds: number; begin: number; end: number };
}

const none = (): Spent['more'] => ({ attempts: 0, seconds: 0, begin: Infinity, end: -Infinity });

/**
 * Keeps the trace of a run of thousands of tasks readable, and a collector from drowning: of each run this process
 * writes so many attempts one by one; those that follow are summed up, a hundred in a span. One that failed is always
 * written.
 */
export class RunBudget {
  readonly #runs = new Map<string, Spent>();
  #timer: NodeJS.Timeout | null = null;

  /** @param write writes what was summed up */
  constructor(
    private readonly most: number,
    private readonly write: (run: string, span: Span) => void,
  ) {}

  /** Whether this attempt is to be written; else it is summed up. */
  admits(run: string, { failure, begin, end }: Span): boolean {
    const spent = this.#of(run);
    if (failure !== null) return true;
    if (spent.written < this.most) {
      spent.written += 1;
      return true;
    }
    const { more } = spent;
    more.attempts += 1;
    more.seconds += (end - begin) / 1000;
    more.begin = Math.min(more.begin, begin);
    more.end = Math.max(more.end, end);
    if (more.attempts >= together) this.#flush(run, spent);
    else this.#flushSoon();
    return false;
  }

  /** Writes what is summed up so far. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const [run, spent] of this.#runs) this.#flush(run, spent);
  }

  #of(run: string): Spent {
    const spent = this.#runs.get(run) ?? { written: 0, more: none() };
    this.#runs.delete(run);
    this.#runs.set(run, spent);
    const [oldest] = this.#runs;
    if (this.#runs.size > mostRuns && oldest !== undefined) {
      this.#flush(...oldest);
      this.#runs.delete(oldest[0]);
    }
    return spent;
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, flushMilliseconds).unref();
  }

  #flush(run: string, spent: Spent): void {
    const { attempts, seconds, begin, end } = spent.more;
    if (attempts === 0) return;
    spent.more = none();
    const span = new OpenSpan('more tasks', 'internal');
    Object.assign(span.attributes, {
      'orchard.tasks': attempts,
      'orchard.task_seconds': seconds,
      'orchard.note': `beyond ${this.most} attempts a run, a process sums up (ORCHARD_TRACED_TASKS)`,
    });
    this.write(run, { ...span.ended(null), begin, end });
  }
}
