import type { MomentFormat } from '@orchard/contracts';
import type { RawCell } from '../table-files/raw-table.js';
import type { WrittenForm } from './written-forms.js';

/** Rows with a number. */
export interface NumberCount {
  rows: number;
}

/** What a label says, looked at once, and its rows. */
export interface Seen {
  rows: number;
  number: number;
  momentFormat: MomentFormat | null;
  /** In which it is written, where it is neither a plain number nor a date as 2025-04-03. */
  forms: readonly WrittenForm[];
  /** Rows with this number, however it is written; null where it is none that is counted. */
  tally: NumberCount | null;
  /** Whether it is digits that begin with a zero. */
  isCode: boolean;
  /** Whether it has digits that no number has. */
  isRounded: boolean;
  /** The format of all moments so far when this one was last counted. */
  common: MomentFormat | null;
}

/** What repeated cells say, by place. */
export class RepeatedSeen {
  /** Of a word whose label is counted, and of one that is not. */
  readonly counted: (Seen | undefined)[] = [];
  readonly uncounted: (Seen | undefined)[] = [];
  /** Rows with the word that are still to be added to what it says. */
  times = new Uint32Array(0);
  /**
   * The state of the column for which one more row with the word says nothing but that there is one more; 0 for none.
   */
  settledIn = new Uint32Array(0);

  constructor(readonly words: readonly RawCell[]) {}

  /** Makes room for words that have come since. */
  grow(): void {
    const { length } = this.words;
    if (length <= this.times.length) return;
    const [times, settledIn] = [new Uint32Array(2 * length), new Uint32Array(2 * length)];
    times.set(this.times);
    settledIn.set(this.settledIn);
    this.times = times;
    this.settledIn = settledIn;
  }
}

export const NO_FORMS: readonly WrittenForm[] = [];

/** What is known of a label that was not looked at. */
export function newSeen(): Seen {
  return {
    rows: 0,
    number: NaN,
    momentFormat: null,
    forms: NO_FORMS,
    tally: null,
    isCode: false,
    isRounded: false,
    common: null,
  };
}
