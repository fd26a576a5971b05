import { decimalsOf } from '../variables/number-format.js';
import type { NumberSample } from './number-sample.js';
import type { NumberCount } from './seen-words.js';

/** Distinct labels and numbers that are counted; beyond them it is only known that there are more. */
export const MOST_COUNTED = 4096;

/** The numbers of a column: how often each is there, how they are written, and a sample of them. */
export class NumberProfile {
  /** Rows with a number. */
  rows = 0;
  mostDecimals = 0;
  leastDecimals = Infinity;
  /** Digits behind the point that values need: none of `130.0`. */
  places = 0;
  /** Whether the numbers are whole and every one is the one before it plus 1. */
  isCounting = true;
  /** Whether the numbers are whole and every one is greater than the one before it. */
  isRising = true;
  readonly #byNumber = new Map<number, NumberCount>();
  #uncounted = 0;
  #last = NaN;

  /** @param sample null where none is wanted */
  constructor(private readonly sample: NumberSample | null) {}

  /** Adds a row. */
  add(number: number, tally: NumberCount | null): void {
    if (this.isRising || this.isCounting) {
      const isWhole = Number.isSafeInteger(number);
      if (!(this.rows === 0 ? isWhole : number === this.#last + 1)) this.isCounting = false;
      if (!(isWhole && (this.rows === 0 || number > this.#last))) this.isRising = false;
      this.#last = number;
    }
    this.sample?.add(number);
    this.addRows(1, tally);
  }

  /** Adds rows that change nothing but numbers of rows: see {@link isSettled}. */
  addRows(rows: number, tally: NumberCount | null): void {
    if (tally === null) this.#uncounted += rows;
    else tally.rows += rows;
    this.rows += rows;
  }

  /** Whether one more row with a number that is known changes nothing but numbers of rows, whenever it comes. */
  get isSettled(): boolean {
    return this.sample === null && !this.isRising && !this.isCounting;
  }

  noteDecimals(decimals: number, value: number): void {
    if (decimals > this.mostDecimals) this.mostDecimals = decimals;
    if (decimals < this.leastDecimals) this.leastDecimals = decimals;
    if (decimals > this.places && !isOnGrid(value, this.places)) this.places = decimalsOf(value);
  }

  /** Where rows with a number are counted; null once there were too many: the counts are of no use then. */
  tallyOf(number: number): NumberCount | null {
    if (this.#uncounted > 0) return null;
    const found = this.#byNumber.get(number);
    if (found !== undefined || this.#byNumber.size === MOST_COUNTED) return found ?? null;
    const tally = { rows: 0 };
    this.#byNumber.set(number, tally);
    return tally;
  }

  /** Rows by number, exact while there are no more than {@link MOST_COUNTED}. */
  get byNumber(): ReadonlyMap<number, number> {
    return new Map([...this.#byNumber].map(([number, { rows }]) => [number, rows]));
  }

  /** Whether all numbers are in {@link byNumber}. */
  get areAllCounted(): boolean {
    return this.#uncounted === 0;
  }

  /** Numbers kept, ascending: all of them, or a sample in which each is as likely as any other. */
  sorted(): Float64Array {
    return this.sample?.sorted() ?? new Float64Array();
  }

  get isSampled(): boolean {
    return this.sample === null ? this.rows > 0 : !this.sample.isWhole;
  }
}

/** Whether a number has no digits beyond so many. */
function isOnGrid(value: number, places: number): boolean {
  return places === 0 ? Number.isInteger(value) : Number(value.toFixed(places)) === value;
}
