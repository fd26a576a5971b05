import { DatasetError, quote } from '../../errors.js';
import { batchRows, type RawBatch } from '../raw-table.js';
import type { DigitRows } from '../../rows/digit-rows.js';
import type { TableContext } from '../table-options.js';
import { ColumnBuilder, marksNumber } from './column-builder.js';
import { withDecimalPoint } from './decimal-comma.js';
import { byteOrderMark } from '../lines/text-pieces.js';
import { cutRow, type CellSyntax, type CutRow } from './cells.js';
import { isSameRow, isValue } from './header.js';
import { RowCutter, type CellSink } from './row-cutter.js';

/** What the beginning of a text showed. */
export interface Dialect {
  readonly delimiter: string;
  /** The names as line 1 has them; null where it has none. */
  readonly header: readonly string[] | null;
  readonly columns: readonly string[];
}

/** Lines that are kept to be named. */
const MOST_REPEATED = 16;
const DIGITS = Buffer.from('01');

/** Makes columns of the cells of a text, and hands them over in batches of rows. One pass. */
export class RowReader implements CellSink {
  readonly cutter: RowCutter;
  readonly width: number;
  readonly takesAsWritten: boolean;
  #rows = 0;
  readonly #full: RawBatch[] = [];
  #skipsRow: boolean;
  /** The names of line 1, where they would be no row; null otherwise. */
  readonly #header: readonly string[] | null;
  readonly #firstName: Buffer;
  /** The first lines that have the names again. */
  readonly repeated: number[] = [];
  repeatedCount = 0;
  readonly #longest: number;
  readonly #batchRows: number;
  readonly #emptyCell: '' | null;
  /** Null for a column that is not needed: it comes empty. */
  readonly #columns: readonly (ColumnBuilder | null)[];
  /** By the code of a first character below 128, whether a mark of a missing value begins with it. */
  readonly #mayBeMark = new Uint8Array(128);

  constructor(
    private readonly context: TableContext,
    private readonly dialect: Dialect,
    needed: ReadonlySet<number> | null,
  ) {
    this.cutter = new RowCutter(context, dialect.delimiter, this);
    this.width = dialect.columns.length;
    this.takesAsWritten = context.asWritten === true;
    this.#skipsRow = dialect.header !== null;
    // a row of values may be that of line 1 again
    const isSure = (dialect.header?.length ?? 0) > 1 && dialect.header!.some((name) => name !== '' && !isValue(name));
    this.#header = isSure ? dialect.header : null;
    this.#firstName = Buffer.from(this.#header?.[0] ?? '');
    let longest = 0;
    for (const mark of context.missing) {
      if (mark === '') continue;
      longest = Math.max(longest, mark.length);
      const code = mark.charCodeAt(0);
      if (code < 128) this.#mayBeMark[code] = 1;
      else this.#mayBeMark.fill(1);
    }
    this.#longest = longest;
    this.#batchRows = batchRows(this.width);
    this.#emptyCell = context.missing.has('') ? null : '';
    const readsNumbers = context.decimal === '.' && !marksNumber(context.missing);
    this.#columns = dialect.columns.map((_, column) => {
      if (needed?.has(column) === false) return null;
      return new ColumnBuilder(this.width, this.#batchRows, (text) => this.#cellOf(text, column), readsNumbers);
    });
  }

  end(): void {
    this.cutter.end();
    if (this.#rows > 0) this.#endBatch();
  }

  /** The batches that became full since the last call. */
  take(): RawBatch[] {
    return this.#full.splice(0);
  }

  /** Takes rows that were cut before, and is then ready for the text behind them. */
  *takeDigits({ rows, columns, bytes, stride, end }: DigitRows): Generator<RawBatch, void> {
    this.#skipsRow = false;
    this.cutter.line = end.line;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const bit = (bytes[row * stride + (column >> 3)]! >> (7 - (column & 7))) & 1;
        this.takeCell(column, DIGITS, bit, bit + 1);
      }
      this.endRow(columns);
      if (this.#rows === 0) yield* this.take();
    }
  }

  takeCell(column: number, text: Buffer, from: number, to: number): void {
    const builder = this.#columns[column];
    if (!builder || this.#skipsRow) return;
    if (from === to) builder.addEmpty(this.#rows);
    else builder.add(this.#rows, text, from, to);
  }

  /** A row that has the names of line 1 again, as where files were put together. */
  passOver(text: Buffer, from: number, syntax: CellSyntax, isLast: boolean): CutRow | null {
    if (this.#header === null || this.#skipsRow) return null;
    // each of the files may have had a mark
    const start = from + byteOrderMark(text, from);
    let at = start;
    if (text[at] === syntax.quote) at++;
    const name = this.#firstName;
    for (let i = 0; i < name.length; i++) if (text[at + i] !== name[i]) return null;
    const row = cutRow(text, start, syntax, isLast);
    if (typeof row === 'number' || !isSameRow(row.cells, this.#header)) return null;
    if (this.repeatedCount++ < MOST_REPEATED) this.repeated.push(this.cutter.line);
    return row;
  }

  endRow(cells: number): void {
    if (this.#skipsRow) {
      this.#skipsRow = false;
      return;
    }
    if (cells !== this.width) this.cutter.refuseRagged(cells, this.width, this.dialect.header !== null);
    if (++this.#rows === this.#batchRows) this.#endBatch();
  }

  nameOf(column: number): string | undefined {
    return this.dialect.header !== null ? this.dialect.columns[column] : undefined;
  }

  /** What a text stands for: null where it marks a missing value. */
  #cellOf(text: string, column: number): string | null {
    if (text === '') return this.#emptyCell;
    const value = this.context.decimal === ',' ? this.#decimal(text, column) : text;
    if (text.length > this.#longest) return value;
    const code = value.charCodeAt(0);
    const isMark = (code >= 128 || this.#mayBeMark[code] === 1) && this.context.missing.has(value);
    return isMark && this.context.mayBeLabel?.(column, value) !== true ? null : value;
  }

  #endBatch(): void {
    const rows = this.#rows;
    this.#full.push({ rows, columns: this.#columns.map((column) => column?.take(rows) ?? []) });
    this.#rows = 0;
  }

  #decimal(text: string, column: number): string {
    const value = withDecimalPoint(text);
    if (value !== null) return value;
    throw new DatasetError('value', {
      got: quote(text),
      expected: 'numbers with a decimal comma, as asked for',
      where: this.cutter.where(column),
      remedy: 'A point may stand between thousands or before decimals: write the number without it.',
    });
  }
}
