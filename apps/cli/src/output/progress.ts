import type { RunProgress } from '@orchard/contracts';
import { callers } from './caller.js';
import { count, duration, nats, timeLeft } from './figures.js';
import type { Terminal } from './terminal.js';

/**
 * A terminal's line is redrawn ten times a second at most; a log gets a line within five seconds, and one at the end of
 * a stage.
 */
const REDRAW_MILLISECONDS = 100;
const LOG_MILLISECONDS = 4_500;
/** How often it is looked whether there was news. */
const BEAT_MILLISECONDS = 500;

/** Shows progress events: a bar on a terminal, plain lines elsewhere, nothing when quiet. Stopped where a run ends. */
export class ProgressDisplay {
  readonly #timer: NodeJS.Timeout;
  #last: RunProgress | null = null;
  #stageBegun = 0;
  #shownAt = -Infinity;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(
    private readonly terminal: Terminal,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#timer = setInterval(() => this.#beat(), BEAT_MILLISECONDS).unref();
  }

  show(progress: RunProgress): void {
    callers.getStore()?.onProgress(progress);
    const last = this.#last;
    const isNewStage = progress.stage !== last?.stage;
    if (isNewStage) this.#stageBegun = this.now();
    this.#last = progress;
    if (progress.stage === 'done') return;
    const { done, total } = progress.tasks;
    const isEnd = done === total && total > 0 && done !== last?.tasks.done;
    const pause = this.terminal.interactive ? REDRAW_MILLISECONDS : LOG_MILLISECONDS;
    if (!isNewStage && !isEnd && this.now() - this.#shownAt < pause) return;
    this.#write(progress);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A stage without news, as a report that is drawn, is not to look like nothing. */
  #beat(): void {
    const last = this.#last;
    if (last === null || last.stage === 'done' || this.now() - this.#shownAt < LOG_MILLISECONDS) return;
    this.#write(last, last.secondsLeft === null);
  }

  /** @param isLong whether to say for how long the stage goes on, as is always said where it counts nothing */
  #write(progress: RunProgress, isLong = false): void {
    this.#shownAt = this.now();
    const { done, total } = progress.tasks;
    const seconds = (this.now() - this.#stageBegun) / 1000;
    const since = isLong || (total === 0 && seconds >= 1) ? ` · for ${duration(seconds)}` : '';
    const line = `${describeProgress(progress)}${since}`;
    if (!this.terminal.interactive) this.terminal.note(`orchard: ${line}`);
    else this.terminal.status(`${total > 0 ? `${bar(done / total)} ` : ''}${line}`);
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
