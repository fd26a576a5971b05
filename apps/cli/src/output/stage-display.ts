import { count } from './figures.js';
import type { Terminal } from './terminal.js';

/** A terminal's line is redrawn ten times a second at most; a log gets a line in five seconds. */
const REDRAW_MILLISECONDS = 100;
const LOG_MILLISECONDS = 5_000;

/** Shows how far a computation other than a run is: a line on a terminal, plain lines in a log. */
export class StageDisplay {
  #shownAt = performance.now();

  constructor(private readonly terminal: Terminal) {}

  /** @param share 0 to 1 */
  show(stage: string, share: number): void {
    this.#show(`${stage}, ${(100 * share).toFixed(0)} %`);
  }

  /** Where it is not known how many there are in all. */
  showRows(stage: string, rows: number): void {
    this.#show(`${stage}, ${count(rows)} so far`);
  }

  #show(words: string): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.terminal.interactive ? REDRAW_MILLISECONDS : LOG_MILLISECONDS)) return;
    this.#shownAt = now;
    this.terminal.progress(`orchard: ${words}`);
  }
}
