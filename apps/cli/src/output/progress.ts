import type { RunProgress } from '@orchard/contracts';
import { callers } from '../caller.js';
import { count, nats, timeLeft } from './figures.js';
import type { Terminal } from './terminal.js';

/**
 * A terminal's line is redrawn ten times a second at most; a log gets a line within five seconds, and one at the end of
 * a stage.
 */
const REDRAW_MILLISECONDS = 100;
const LOG_MILLISECONDS = 4_500;

/** Shows a run's progress events: a bar on a terminal, plain lines elsewhere, nothing when quiet. */
export class ProgressDisplay {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #stage: string | null = null;
  #shownAt = -Infinity;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(terminal: Terminal, now: () => number = () => performance.now()) {
    this.#terminal = terminal;
    this.#now = now;
  }

  show(progress: RunProgress): void {
    callers.getStore()?.onProgress(progress);
    const now = this.#now();
    const { done, total } = progress.tasks;
    const isTurn = progress.stage !== this.#stage || (done === total && total > 0);
    const pause = this.#terminal.interactive ? REDRAW_MILLISECONDS : LOG_MILLISECONDS;
    if (!isTurn && now - this.#shownAt < pause) return;
    if (progress.stage === 'done') return;
    this.#stage = progress.stage;
    this.#shownAt = now;
    const measured = total > 0 ? `${bar(done / total)} ` : '';
    if (this.#terminal.interactive) this.#terminal.status(`${measured}${describeProgress(progress)}`);
    else this.#terminal.note(`orchard: ${describeProgress(progress)}`);
  }
}

/** A stage that has nothing to count takes no time to speak of. */
export function describeProgress(progress: RunProgress): string {
  const { state, tasks, treesPerSecond, secondsLeft, secondsLeftRange, logLikelihood } = progress;
  const { done, total, called } = tasks;
  if (total === 0) return state;
  const parts = [`${state} ${count(done)}/${count(total)} ${called}`];
  if (treesPerSecond >= 1) parts.push(`${count(Math.round(treesPerSecond))} trees/s`);
  if (secondsLeft !== null && done < total) parts.push(timeLeft(secondsLeft, secondsLeftRange));
  if (logLikelihood !== null) parts.push(`${nats(logLikelihood)} nats per held-out row`);
  return parts.join(' · ');
}

function bar(share: number): string {
  const width = 22;
  const filled = Math.min(width, Math.max(0, Math.floor(share * width)));
  return `${'━'.repeat(filled)}${'╌'.repeat(width - filled)} ${String(Math.floor(share * 100)).padStart(3)} %`;
}
