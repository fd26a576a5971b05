import type { RunProgress } from '@orchard/contracts';
import { describeProgress } from '../output/progress.js';

/** What a notification says: `progress` grows with each. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** A client hears something at least so often. */
const QUIET_MILLISECONDS = 4_000;

/** Reports how far a call is: the stages of a run one after another, and the seconds where nothing else is known. */
export class Heartbeat {
  readonly #started = Date.now();
  readonly #timer: NodeJS.Timeout;
  /** Of the stages before. */
  #before = 0;
  #stage: string | null = null;
  #total = 0;
  #last = 0;

  constructor(private readonly report: (progress: Progress) => void) {
    this.#timer = setInterval(() => this.#beat(), QUIET_MILLISECONDS).unref();
  }

  /** @returns the line that says it */
  show(progress: RunProgress): string {
    const { stage, tasks } = progress;
    if (stage !== this.#stage) this.#before += this.#total;
    this.#stage = stage;
    this.#total = tasks.total;
    const message = describeProgress(progress);
    const reached = this.#before + tasks.done;
    if (reached > this.#last) this.#send({ progress: reached, total: this.#before + tasks.total, message });
    return message;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const seconds = Math.round((Date.now() - this.#started) / 1000);
    // less than what is counted, so that the next count is more
    this.#send({ progress: this.#last + 1e-3, message: `working for ${String(seconds)} s` });
  }

  #send(progress: Progress): void {
    this.#last = progress.progress;
    this.#timer.refresh();
    this.report(progress);
  }
}
