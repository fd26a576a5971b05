import type { RuledRows } from '@orchard/model';
import { firstAndMore } from '@orchard/refusal';
import { count, counted } from '../../output/figures.js';
import type { RowsToAnswer } from './rows-to-complete.js';

/** Rows that are named. */
const MOST_NAMED = 10;

/** Rows that break a rule by what is known of them: they are filled in without rules. */
export class BrokenRows {
  readonly #rows: number[] = [];

  /** @param ruled null where no rules hold */
  constructor(private readonly ruled: RuledRows | null) {}

  see(rows: RowsToAnswer): void {
    if (this.ruled === null) return;
    for (const row of new Set(rows.missing.map((cell) => cell.row)))
      if (!this.ruled.isPossible(rows, row)) this.#rows.push(rows.firstRow + row + 1);
  }

  /** @param beside what else is said */
  warning(beside: string | undefined): string | undefined {
    const rows = this.#rows;
    if (rows.length === 0) return beside;
    const [breaks, was] = rows.length === 1 ? ['breaks', 'was'] : ['break', 'were'];
    const named = `${counted(rows.length, 'row')} ${breaks} a rule by what is known and ${was} filled in without rules: ${firstAndMore(rows.map(count), MOST_NAMED, count)}`;
    return beside === undefined ? named : `${named}; ${beside}`;
  }
}
