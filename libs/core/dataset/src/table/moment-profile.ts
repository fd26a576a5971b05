import type { MomentFormat, TimeFormat } from '@orchard/contracts';
import type { RawCell } from '../table-files/raw-table.js';
import { labelOf } from '../variables/cell-values.js';
import { commonMomentFormat } from '../variables/moment-format.js';
import { commonTimeFormat } from '../variables/time-format.js';
import { midnightOf } from '../variables/midnight.js';
import type { Seen } from './seen-words.js';

/** The dates and times of day of a column. */
export class MomentProfile {
  /** Rows with one that is written in one format, that of the first. */
  rows = 0;
  /** Rows with one, in whatever formats. */
  ofAnyFormat = 0;
  /** One format for all so far; null where there is none. */
  format: MomentFormat | null = null;
  firstFormat: MomentFormat | null = null;
  /** What stands behind the day where every date so far is a midnight that is written so; null where one is none. */
  midnight: string | null = null;
  /** The first of another zone than those before it. */
  firstOtherZone: { readonly row: number; readonly text: string } | null = null;
  /** The first cell that is not a date or time, or one that is not written as those before it. */
  firstOther: { readonly row: number; readonly text: string } | null = null;

  /** The first clock that is not a time of day, as 24:00 and 31:15:00, and the one format of the times beside it. */
  #firstLong: { readonly row: number; readonly text: string } | null = null;
  #timeFormat: TimeFormat | null = null;

  /** @returns whether it is written as those before it */
  add(seen: Seen, format: MomentFormat, cell: Exclude<RawCell, null>, row: number): boolean {
    if (this.isWritten(seen)) {
      this.addRows(1);
      return true;
    }
    this.ofAnyFormat++;
    const midnight = midnightOf(String(cell));
    if (this.firstFormat === null) this.midnight = midnight;
    else if (this.midnight !== midnight) this.midnight = null;
    this.firstFormat ??= format;
    if (isLong(format)) this.#firstLong ??= { row, text: labelOf(cell) };
    else if (format.type === 'time')
      this.#timeFormat = this.#timeFormat === null ? format : commonTimeFormat(this.#timeFormat, format);
    const before = this.format;
    const common = before === null ? format : commonMomentFormat(before, format);
    if (common === null) return false;
    if (before !== null && zoneOf(before) !== zoneOf(format)) this.firstOtherZone ??= { row, text: labelOf(cell) };
    this.format = common;
    seen.common = common;
    this.rows++;
    return true;
  }

  /** The format of the column: days, where all of its moments are midnights. */
  get formatOfColumn(): MomentFormat | null {
    return this.format?.type === 'date' && this.midnight !== null
      ? { type: 'date', time: null, midnight: this.midnight }
      : this.format;
  }

  /** Whether the format of the column was the one of all moments when this cell was last counted. */
  isWritten({ common }: Seen): boolean {
    return common !== null && common === this.format;
  }

  /** Times of day beside which so few rows have clocks beyond 24 hours that these are mistakes: they are no moments. */
  takeLongAsOther(rows: number): void {
    if (this.#timeFormat === null || this.format?.type !== 'duration') return;
    this.firstFormat = this.#timeFormat;
    this.format = this.#timeFormat;
    this.rows -= rows;
    this.ofAnyFormat -= rows;
    const [long, other] = [this.#firstLong!, this.firstOther];
    this.firstOther = other === null || long.row < other.row ? long : other;
  }

  /** Adds rows with moments that are written as those before them. */
  addRows(rows: number): void {
    this.ofAnyFormat += rows;
    this.rows += rows;
  }
}

/** Whether a clock is written that goes on beyond 24 hours. */
export function isLong(format: MomentFormat): boolean {
  return format.type === 'duration' && format.clock !== undefined;
}

function zoneOf(format: MomentFormat): string {
  return format.type === 'date' ? (format.time?.zone ?? '') : '';
}
