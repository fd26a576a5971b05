import type { MomentFormat } from '@orchard/contracts';
import type { RawCell } from '../table-files/raw-table.js';
import { labelOf } from '../variables/cell-values.js';
import { commonMomentFormat } from '../variables/moment-format.js';
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
  /** The first of another zone than those before it. */
  firstOtherZone: { readonly row: number; readonly text: string } | null = null;
  /** The first cell that is not a date or time, or one that is not written as those before it. */
  firstOther: { readonly row: number; readonly text: string } | null = null;

  /** @returns whether it is written as those before it */
  add(seen: Seen, format: MomentFormat, cell: Exclude<RawCell, null>, row: number): boolean {
    if (this.isWritten(seen)) {
      this.addRows(1);
      return true;
    }
    this.ofAnyFormat++;
    this.firstFormat ??= format;
    const before = this.format;
    const common = before === null ? format : commonMomentFormat(before, format);
    if (common === null) return false;
    if (before !== null && zoneOf(before) !== zoneOf(format)) this.firstOtherZone ??= { row, text: labelOf(cell) };
    this.format = common;
    seen.common = common;
    this.rows++;
    return true;
  }

  /** Whether the format of the column was the one of all moments when this cell was last counted. */
  isWritten({ common }: Seen): boolean {
    return common !== null && common === this.format;
  }

  /** Adds rows with moments that are written as those before them. */
  addRows(rows: number): void {
    this.ofAnyFormat += rows;
    this.rows += rows;
  }
}

function zoneOf(format: MomentFormat): string {
  return format.type === 'date' ? (format.time?.zone ?? '') : '';
}
