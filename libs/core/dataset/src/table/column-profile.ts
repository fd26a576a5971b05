import type { OrderedFormat } from '@orchard/contracts';
import { NO_NUMBER, NumberCells, RepeatedCells, type RawColumn } from '../table-files/raw-column.js';
import type { RawCell } from '../table-files/raw-table.js';
import { isHole, labelOf, numberOf } from '../variables/cell-values.js';
import { isLong, MomentProfile } from './moment-profile.js';
import { NumberSample, numbersKept } from './number-sample.js';
import { MOST_COUNTED, NumberProfile } from './number-profile.js';
import { NO_FORMS, newSeen, RepeatedSeen, type Seen } from './seen-words.js';
import { WrittenForms } from './written-forms.js';
import { momentFormatOf } from '../variables/moment-format.js';
import {
  bounded,
  decimalsOf,
  decimalsOfPlain,
  decimalsOfText,
  isRounded,
  MOST_DECIMALS,
  numberFromText,
} from '../variables/number-format.js';
import { plainNumber } from '../variables/plain-number.js';

/** What a column is looked through for. What is spared is not known. */
export interface Wanted {
  /**
   * Whether labels are counted when it is plain that the column has too many: `unlessMany` unless the type of the
   * column was given.
   */
  readonly labels: boolean | 'unlessMany';
  readonly numbers: boolean;
  /** Whether a sample of the numbers is kept: of few distinct ones the counts say all. */
  readonly sample: boolean;
}

/**
 * What there is in one column, cell by cell, in constant memory. Labels are counted, the first 4,096 distinct ones
 * exactly; of numbers a sample is kept, all of them up to 65,536 a column (fewer of very wide tables).
 */
export class ColumnProfile {
  rows = 0;
  holes = 0;
  /** Rows with labels that came when there were too many. */
  uncounted = 0;
  /** Rows up to and with the last one whose label was new and counted. */
  rowsAtLimit = 0;
  /** Digits that begin with a zero, as 00501: names rather than numbers. */
  codes = 0;
  /** The first cell that is not a number: its row, from 1, and what it says. */
  firstWord: { readonly row: number; readonly text: string } | null = null;
  /** Rows with a number of more digits than numbers have. */
  rounded = 0;
  /** The first of them, which only the file can distinguish from its neighbours, and what it is read as. */
  firstRounded: { readonly text: string; readonly number: number } | null = null;
  readonly ofNumbers: NumberProfile;
  readonly ofMoments = new MomentProfile();
  /** Ways in which cells are written that are neither plain numbers nor dates as 2025-04-03. */
  readonly written = new WrittenForms();
  readonly #seen = new Map<string, Seen>();
  readonly #marked = new Map<string, number>();
  /** Of {@link #seen}, by cells that are not texts. */
  readonly #cells = new Map<RawCell, Seen>();
  /** What a cell says whose label is not counted. */
  readonly #passing = newSeen();
  /** What the words of repeated cells say, by their places. */
  #repeated = new RepeatedSeen([]);
  /** Another number whenever the format of the moments becomes another, or labels are not counted any more. */
  #state = 1;
  #countsLabels = true;
  #hasTexts = false;
  readonly #longestMark: number;

  /**
   * @param as cells are read by this format where it is given: that of the whole column
   */
  constructor(
    columns: number,
    column: number,
    private readonly as: OrderedFormat | null = null,
    private readonly wanted: Wanted = { labels: 'unlessMany', numbers: true, sample: true },
    private readonly marks: ReadonlySet<string> = NO_MARKS,
  ) {
    this.#longestMark = [...marks].reduce((most, { length }) => Math.max(most, length), 0);
    this.ofNumbers = new NumberProfile(
      wanted.numbers && wanted.sample ? new NumberSample(numbersKept(columns), column) : null,
    );
  }

  add(cell: RawCell | undefined): void {
    this.rows++;
    if (isHole(cell) || this.#isMark(cell)) {
      this.#addHole(cell);
      return;
    }
    this.#take(this.#look(cell), cell);
  }

  /** Rows with a text that is a missing value for what it says, and may be a label. */
  get marked(): ReadonlyMap<string, number> {
    return this.#marked;
  }

  /** The texts that are missing values here. */
  get missingMarks(): ReadonlySet<string> {
    return new Set([...this.marks].filter((mark) => !this.#seen.has(mark)));
  }

  /** From now on such a text is a label, as all rows with it were. */
  takeAsLabel(mark: string): void {
    const rows = this.#marked.get(mark) ?? 0;
    this.holes -= rows;
    this.#marked.delete(mark);
    this.#seen.set(mark, { ...newSeen(), rows });
  }

  #isMark(cell: RawCell): boolean {
    // to look a long text up takes longer than to read it
    return typeof cell === 'string' && cell.length <= this.#longestMark && this.marks.has(cell);
  }

  #addHole(cell: RawCell | undefined): void {
    this.holes++;
    if (typeof cell === 'string') this.#marked.set(cell, (this.#marked.get(cell) ?? 0) + 1);
  }

  /**
   * Adds the cells of some rows: of all, or of those that train.
   *
   * @param splitOf 0 for each row of the file that trains; null where all do
   * @param first the number of the first of the rows in the file
   */
  addColumn(column: RawColumn, rows: number, splitOf: Uint8Array | null, first: number): void {
    if (column instanceof RepeatedCells) this.#addRepeated(column, splitOf, first);
    else if (column instanceof NumberCells && this.as === null) this.#addNumbers(column, splitOf, first);
    else
      for (let row = 0; row < rows; row++) if (splitOf === null || splitOf[first + row] === 0) this.add(column.at(row));
  }

  /**
   * As {@link add}, of cells whose words are looked at once; most rows are only counted, until {@link end} adds them.
   */
  #addRepeated({ words, places }: RepeatedCells, splitOf: Uint8Array | null, first: number): void {
    if (this.#repeated.words !== words) {
      this.end();
      this.#repeated = new RepeatedSeen(words);
    }
    this.#repeated.grow();
    const { times, settledIn } = this.#repeated;
    for (let row = 0; row < places.length; row++) {
      if (splitOf !== null && splitOf[first + row] !== 0) continue;
      const place = places[row]!;
      this.rows++;
      if (settledIn[place] === this.#state) {
        times[place]!++;
        continue;
      }
      const cell = words[place]!;
      if (cell === null || this.#isMark(cell)) this.#addHole(cell);
      else {
        const seen = this.#addWord(place, cell);
        if (this.#isSettled(seen)) settledIn[place] = this.#state;
      }
    }
  }

  /** Adds a row with a word. @returns what is counted of it; null where that is not the word's own */
  #addWord(place: number, cell: Exclude<RawCell, null>): Seen | null {
    const { counted, uncounted } = this.#repeated;
    const isCounted = this.uncounted === 0 || this.#countsLabels;
    let seen = isCounted ? counted[place] : uncounted[place];
    if (seen === undefined) {
      seen = this.#look(cell);
      if (seen !== this.#passing) counted[place] = seen;
      else uncounted[place] = { ...seen };
    } else if (!isCounted) this.uncounted++;
    this.#take(seen, cell);
    return seen === counted[place] ? seen : null;
  }

  /** Whether one more row that says so much changes nothing but numbers of rows, whenever it comes. */
  #isSettled(seen: Seen | null): boolean {
    if (seen === null || (this.uncounted > 0 && !this.#countsLabels)) return false;
    if (!this.wanted.numbers) return true;
    if (seen.momentFormat !== null && !this.ofMoments.isWritten(seen)) return false;
    return Number.isNaN(seen.number) || this.ofNumbers.isSettled;
  }

  /** Adds what was only counted of the cells so far: before anything is asked. */
  end(): void {
    const { counted, times } = this.#repeated;
    for (let place = 0; place < times.length; place++) {
      const rows = times[place]!;
      if (rows === 0) continue;
      times[place] = 0;
      const seen = counted[place]!;
      seen.rows += rows;
      if (seen.isRounded) this.rounded += rows;
      if (!this.wanted.numbers) continue;
      if (seen.momentFormat !== null) this.ofMoments.addRows(rows);
      if (Number.isNaN(seen.number)) {
        if (seen.isCode) this.codes += rows;
        for (const form of seen.forms) form.rows += rows;
        continue;
      }
      this.ofNumbers.addRows(rows, seen.tally);
    }
  }

  /** As {@link add}, of cells that need not be texts once labels are not counted any more. */
  #addNumbers(cells: NumberCells, splitOf: Uint8Array | null, first: number): void {
    const { numbers, decimals } = cells;
    for (let row = 0; row < numbers.length; row++) {
      if (splitOf !== null && splitOf[first + row] !== 0) continue;
      const places = decimals[row]!;
      if (places === NO_NUMBER || this.uncounted === 0 || this.#countsLabels) {
        this.add(cells.at(row));
        continue;
      }
      this.rows++;
      this.uncounted++;
      if (!this.wanted.numbers) continue;
      const number = numbers[row]!;
      this.ofNumbers.noteDecimals(places, number);
      this.ofMoments.firstOther ??= { row: this.rows, text: labelOf(number) };
      this.ofNumbers.add(number, this.ofNumbers.tallyOf(number));
    }
  }

  /** Counts a cell that says so much. */
  #take(seen: Seen, cell: Exclude<RawCell, null>): void {
    seen.rows++;
    if (seen.isRounded) this.rounded++;
    if (!this.wanted.numbers) return;
    const { ofMoments, ofNumbers } = this;
    const { format } = ofMoments;
    const isMoment = seen.momentFormat !== null && ofMoments.add(seen, seen.momentFormat, cell, this.rows);
    if (!isMoment) ofMoments.firstOther ??= { row: this.rows, text: labelOf(cell) };
    if (ofMoments.format !== format) this.#state++;
    if (!Number.isNaN(seen.number)) {
      ofNumbers.add(seen.number, seen.tally);
      return;
    }
    this.firstWord ??= { row: this.rows, text: labelOf(cell) };
    ofNumbers.isCounting = false;
    ofNumbers.isRising = false;
    if (seen.isCode) this.codes++;
    for (const form of seen.forms) form.rows++;
  }

  /**
   * Clocks beyond 24 hours, as 24:00 and 31:15:00, are durations where several are, and mistakes among times of day
   * elsewhere. After the last row.
   */
  settleClocks(): void {
    const { format } = this.ofMoments;
    if (format === null || !isLong(format)) return;
    let [rows, distinct] = [0, 0];
    for (const [text, own] of this.labels) {
      const ofText = momentFormatOf(text);
      if (ofText === null || !isLong(ofText)) continue;
      rows += own;
      distinct++;
    }
    if (distinct < LEAST_LONG || rows < LONG_SHARE * this.values) this.ofMoments.takeLongAsOther(rows);
  }

  /** Rows with a number. */
  get numbers(): number {
    return this.ofNumbers.rows;
  }

  /** Rows with a date or a time of day that is written in the one format of the column. */
  get moments(): number {
    return this.ofMoments.rows;
  }

  /** Rows with a value. */
  get values(): number {
    return this.rows - this.holes;
  }

  /**
   * Rows by label, in the order in which they first came; those that came when there were too many are
   * {@link uncounted}.
   */
  get labels(): ReadonlyMap<string, number> {
    return new Map([...this.#seen].map(([label, { rows }]) => [label, rows]));
  }

  /** Distinct labels that are counted. */
  get distinct(): number {
    return this.#seen.size;
  }

  /** Whether there are more distinct values than are counted. */
  get isBeyondCounting(): boolean {
    return this.uncounted > 0;
  }

  /** Whether more than half of the labels are distinct, of the rows up to the last one whose label was counted. */
  get areMostlyDistinct(): boolean {
    return this.distinct * 2 > (this.isBeyondCounting ? this.rowsAtLimit : this.values);
  }

  /**
   * What the cell says: looked at when its label first comes, and again each time where there are too many to count
   * them.
   */
  #look(cell: Exclude<RawCell, null>): Seen {
    const isText = typeof cell === 'string';
    if (isText) this.#hasTexts = true;
    const isFull = this.uncounted > 0;
    if (!isFull || this.#countsLabels) {
      const known = isText ? this.#seen.get(cell) : this.#cells.get(cell);
      if (known !== undefined) return known;
      // to write a number takes its time, and only a text can have been written like it
      const label = isText || (isFull && !this.#hasTexts) ? null : labelOf(cell);
      const alike = label === null ? undefined : this.#seen.get(label);
      const seen = alike ?? (this.#seen.size < MOST_COUNTED ? this.#count(label ?? labelOf(cell)) : null);
      if (seen !== null) {
        if (!isText) this.#cells.set(cell, seen);
        if (alike === undefined && this.wanted.numbers) this.#tell(cell, seen);
        return seen;
      }
    }
    this.uncounted++;
    if (!isFull) {
      this.#countsLabels = this.wanted.labels === true || (this.wanted.labels !== false && !this.areMostlyDistinct);
      this.#state++;
    }
    if (this.wanted.numbers) this.#tell(cell, this.#passing);
    return this.#passing;
  }

  #count(label: string): Seen {
    const seen = newSeen();
    this.#seen.set(label, seen);
    this.rowsAtLimit = this.rows;
    return seen;
  }

  #tell(cell: Exclude<RawCell, null>, seen: Seen): void {
    seen.number = this.#numberOf(cell);
    seen.isRounded = typeof cell === 'string' && this.as === null && !Number.isNaN(seen.number) && isRounded(cell);
    if (seen.isRounded) this.firstRounded ??= { text: String(cell), number: seen.number };
    const isWord = typeof cell === 'string' && this.as === null && Number.isNaN(seen.number);
    seen.momentFormat = isWord ? momentFormatOf(cell) : null;
    seen.forms = isWord && seen.momentFormat === null ? this.written.of(cell) : NO_FORMS;
    seen.tally = Number.isNaN(seen.number) ? null : this.ofNumbers.tallyOf(seen.number);
    seen.common = null;
    seen.isCode = typeof cell === 'string' && Number.isNaN(seen.number) && CODE.test(cell);
  }

  #numberOf(cell: Exclude<RawCell, null>): number {
    if (typeof cell === 'boolean') return NaN;
    if (this.as !== null) return numberOf(cell, this.as);
    if (typeof cell !== 'string') {
      const value = bounded(Number(cell));
      if (Number.isNaN(value)) return NaN;
      this.ofNumbers.noteDecimals(decimalsOf(value), value);
      return value;
    }
    const plain = plainNumber(cell);
    if (!Number.isNaN(plain)) {
      this.ofNumbers.noteDecimals(Math.min(MOST_DECIMALS, decimalsOfPlain(cell, plain)), plain);
      return plain;
    }
    const number = numberFromText(cell);
    if (!Number.isNaN(number)) this.ofNumbers.noteDecimals(decimalsOfText(cell), number);
    return number;
  }
}

/** Distinct clocks beyond 24 hours, and the share of rows with them, that make durations of times of day. */
const LEAST_LONG = 2;
const LONG_SHARE = 0.01;
const NO_MARKS: ReadonlySet<string> = new Set();
const CODE = /^0\d+$/;
