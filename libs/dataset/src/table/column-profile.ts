import type { DateFormat } from '@orchard/contracts';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { RawCell } from '../table-files/raw-table.js';
import { isHole, labelOf } from '../variables/cell-values.js';
import { commonDateFormat, dateFormatOf, dateFromText } from '../variables/date-format.js';
import { bounded, decimalsOf, decimalsOfText, numberFromText } from '../variables/number-format.js';

/** Distinct labels and numbers that are counted; beyond them it is only known that there are more. */
export const MOST_COUNTED = 4096;
/** Cells of numbers that are kept of a table, all columns together: 32 MiB. */
export const KEPT_NUMBERS = 2 ** 22;
export const MOST_KEPT = 2 ** 16;

/**
 * What there is in one column, cell by cell, in constant memory. Labels are counted, the first 4,096 distinct ones exactly;
 * of numbers a sample is kept, all of them up to 65,536 a column (fewer of very wide tables).
 */
export class ColumnProfile {
  rows = 0;
  holes = 0;
  /** Rows by label; those that came when there were too many are {@link uncounted}. */
  readonly labels = new Map<string, number>();
  uncounted = 0;
  /** Rows up to and with the last one whose label was new and counted. */
  rowsAtLimit = 0;
  numbers = 0;
  dates = 0;
  /** The first cell that is no number: its row, from 1, and what it says. */
  firstWord: { readonly row: number; readonly text: string } | null = null;
  mostDecimals = 0;
  leastDecimals = Infinity;
  /** Digits behind the point that values need: none of `130.0`. */
  places = 0;
  /** One format for all dates so far; null where there is none. */
  dateFormat: DateFormat | null = null;
  /** Cells that are dates, in whatever formats. */
  datesOfAnyFormat = 0;
  /** The first cell that is no date, or one that is not written as those before it. */
  firstUndated: { readonly row: number; readonly text: string } | null = null;
  /** Whether the numbers are whole and every one is the one before it plus 1. */
  isCounting = true;
  /** Rows by number, exact while there are no more than {@link MOST_COUNTED}. */
  readonly byNumber = new Map<number, number>();
  #uncountedNumbers = 0;
  readonly #kept: Float64Array;
  readonly #stream: RandomStream;
  #last = NaN;
  /** Dates are read by it where it is given: that of the whole column. */
  readonly #asDate: DateFormat | null;

  constructor(columns: number, column: number, asDate: DateFormat | null = null) {
    this.#kept = new Float64Array(Math.max(1024, Math.min(MOST_KEPT, Math.floor(KEPT_NUMBERS / columns))));
    this.#stream = new RandomStream(0, Purpose.reservoir, column);
    this.#asDate = asDate;
  }

  add(cell: RawCell | undefined): void {
    this.rows++;
    if (isHole(cell)) {
      this.holes++;
      return;
    }
    this.#count(labelOf(cell));
    const number = this.#numberOf(cell);
    if (this.firstUndated === null && this.dates < this.values)
      this.firstUndated = { row: this.rows, text: labelOf(cell) };
    if (Number.isNaN(number)) {
      this.firstWord ??= { row: this.rows, text: labelOf(cell) };
      this.isCounting = false;
      return;
    }
    const isNext = this.numbers === 0 ? Number.isSafeInteger(number) : number === this.#last + 1;
    if (!isNext) this.isCounting = false;
    this.#last = number;
    this.#keep(number);
    this.numbers++;
  }

  /** Rows with a value. */
  get values(): number {
    return this.rows - this.holes;
  }

  /** Whether there are more distinct values than are counted. */
  get isBeyondCounting(): boolean {
    return this.uncounted > 0;
  }

  /** Whether all numbers are in {@link byNumber}. */
  get hasAllNumbers(): boolean {
    return this.#uncountedNumbers === 0;
  }

  /** Numbers kept, ascending: all of them, or a sample in which each is as likely as any other. */
  sortedNumbers(): Float64Array {
    return this.#kept.slice(0, Math.min(this.numbers, this.#kept.length)).sort();
  }

  get isSampled(): boolean {
    return this.numbers > this.#kept.length;
  }

  #count(label: string): void {
    const count = this.labels.get(label);
    if (count !== undefined) this.labels.set(label, count + 1);
    else if (this.labels.size < MOST_COUNTED) {
      this.labels.set(label, 1);
      this.rowsAtLimit = this.rows;
    } else this.uncounted++;
  }

  #numberOf(cell: Exclude<RawCell, null>): number {
    if (typeof cell === 'boolean') return NaN;
    if (typeof cell !== 'string') {
      const value = bounded(Number(cell));
      if (Number.isNaN(value)) return NaN;
      this.#noteDecimals(decimalsOf(value), value);
      return value;
    }
    if (this.#asDate !== null) return dateFromText(cell, this.#asDate);
    const number = numberFromText(cell);
    if (!Number.isNaN(number)) this.#noteDecimals(decimalsOfText(cell), number);
    else this.#noteDate(cell);
    return number;
  }

  #noteDecimals(decimals: number, value: number): void {
    if (decimals > this.mostDecimals) this.mostDecimals = decimals;
    if (decimals < this.leastDecimals) this.leastDecimals = decimals;
    if (decimals > this.places && !isOnGrid(value, this.places)) this.places = decimalsOf(value);
  }

  #noteDate(text: string): void {
    const format = dateFormatOf(text);
    if (format === null) return;
    this.datesOfAnyFormat++;
    if (this.dates < this.values - 1) return; // something before it was none
    const common = this.dates === 0 ? format : this.dateFormat && commonDateFormat(this.dateFormat, format);
    if (common === null) return;
    this.dateFormat = common;
    this.dates++;
  }

  /** Reservoir sampling (Vitter's algorithm R). */
  #keep(number: number): void {
    const count = this.byNumber.get(number);
    if (count !== undefined) this.byNumber.set(number, count + 1);
    else if (this.byNumber.size < MOST_COUNTED) this.byNumber.set(number, 1);
    else this.#uncountedNumbers++;
    const kept = this.#kept;
    if (this.numbers < kept.length) kept[this.numbers] = number;
    else {
      const place = this.#stream.below(this.numbers + 1);
      if (place < kept.length) kept[place] = number;
    }
  }
}

/** Whether a number has no digits beyond so many. */
function isOnGrid(value: number, places: number): boolean {
  return places === 0 ? Number.isInteger(value) : Number(value.toFixed(places)) === value;
}
