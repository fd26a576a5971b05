import { DatasetError, quote } from '../../errors.js';
import { batchRows, type RawBatch } from '../raw-table.js';
import type { TableContext } from '../table-options.js';
import { CellEnd, cellText, newCell, nextCell, plainEnd } from './cells.js';
import { ColumnBuilder, marksNumber } from './column-builder.js';
import { withDecimalPoint } from './decimal-comma.js';
import { refuseLong } from '../lines/text-pieces.js';

/** What the beginning of a text told. */
export interface Dialect {
  readonly delimiter: string;
  readonly hasHeader: boolean;
  readonly columns: readonly string[];
}

const CR = 13;
const SPACE = 32;
const NOTHING = Buffer.alloc(0);

/** Cuts pieces of a text, in UTF-8, into rows of cells, and hands them over in batches. One pass. */
export class RowReader {
  /** The line at which the row begins that is to be read next, from 1. */
  line = 1;
  #rows = 0;
  readonly #full: RawBatch[] = [];
  /** The beginning of a row whose rest has not come yet. */
  #rest = NOTHING;
  #skipsRow: boolean;
  #blankLine = 0;
  readonly #delimiter: Buffer;
  /** The delimiter where it is one byte and no space, as almost always; -1 otherwise. */
  readonly #plainDelimiter: number;
  readonly #width: number;
  readonly #longest: number;
  readonly #batchRows: number;
  readonly #emptyCell: '' | null;
  /** Null for a column that is not needed: it comes empty. */
  readonly #columns: readonly (ColumnBuilder | null)[];
  /** By the code of a first character below 128, whether a mark of a hole begins with it. */
  readonly #mayBeMark = new Uint8Array(128);

  constructor(
    private readonly context: TableContext,
    private readonly dialect: Dialect,
    needed: ReadonlySet<number> | null,
  ) {
    this.#delimiter = Buffer.from(dialect.delimiter);
    const [first = SPACE] = this.#delimiter;
    this.#plainDelimiter = this.#delimiter.length === 1 && first !== SPACE ? first : -1;
    this.#width = dialect.columns.length;
    this.#skipsRow = dialect.hasHeader;
    let longest = 0;
    for (const mark of context.missing) {
      if (mark === '') continue;
      longest = Math.max(longest, mark.length);
      const code = mark.charCodeAt(0);
      if (code < 128) this.#mayBeMark[code] = 1;
      else this.#mayBeMark.fill(1);
    }
    this.#longest = longest;
    this.#batchRows = batchRows(this.#width);
    this.#emptyCell = context.missing.has('') ? null : '';
    const readsNumbers = context.decimal === '.' && !marksNumber(context.missing);
    this.#columns = dialect.columns.map((_, column) => {
      if (needed?.has(column) === false) return null;
      return new ColumnBuilder(this.#width, this.#batchRows, (text) => this.#cellOf(text, column), readsNumbers);
    });
  }

  /** Takes a piece of the text, which ends behind a line. */
  push(piece: Buffer): void {
    this.#takeRows(piece, false);
  }

  /** Takes the last row, where no line end follows it. */
  end(): void {
    this.#takeRows(NOTHING, true);
    if (this.#rows > 0) this.#endBatch();
  }

  /** The batches that became full since the last call. */
  take(): RawBatch[] {
    return this.#full.splice(0);
  }

  #takeRows(piece: Buffer, isLast: boolean): void {
    const text = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    for (let next = 0; at < text.length; at = next) {
      next = this.#takeRow(text, at, isLast);
      if (next < 0) break;
    }
    this.#rest = at < text.length ? Buffer.from(text.subarray(at)) : NOTHING;
    if (this.#rest.length > this.context.maxLineBytes) refuseLong(this.context, this.line);
  }

  /** @returns where the next row begins, or -1 where this one is not whole yet. */
  #takeRow(text: Buffer, start: number, isLast: boolean): number {
    const delimiter = this.#plainDelimiter;
    const width = this.#width;
    const columns = this.#columns;
    const row = this.#rows;
    const cell = CELL;
    let column = 0;
    let lines = 1;
    let end: CellEnd = CellEnd.delimiter;
    for (let at = start; end === CellEnd.delimiter; at = cell.next, column++) {
      const plain = delimiter < 0 ? -1 : plainEnd(text, at, delimiter);
      if (plain >= 0) {
        const byte = text[plain];
        end = byte === delimiter ? CellEnd.delimiter : CellEnd.row;
        cell.from = at;
        cell.to = plain;
        cell.next = plain + (byte === CR ? 2 : 1);
        cell.quoted = false;
      } else {
        end = nextCell(text, at, this.#delimiter, isLast, cell);
        if (end === CellEnd.unfinished) return -1;
        if (end > CellEnd.row) this.#refuseQuote(end, column);
        lines += cell.lineEnds;
      }
      const builder = column < width ? columns[column]! : null;
      if (builder === null) continue;
      if (cell.to === cell.from) builder.addEmpty(row);
      else if (plain < 0 && cell.doubled) {
        const unquoted = Buffer.from(cellText(text, cell));
        builder.add(row, unquoted, 0, unquoted.length);
      } else builder.add(row, text, cell.from, cell.to);
    }
    const { next } = cell;
    if (next - start > this.context.maxLineBytes) refuseLong(this.context, this.line);
    if (column === 1 && !cell.quoted && cell.from === cell.to) this.#blankLine ||= this.line;
    else {
      if (this.#blankLine > 0) this.#refuseBlank();
      if (this.#skipsRow) this.#skipsRow = false;
      else {
        if (column !== width) this.#refuseRagged(column);
        if (++this.#rows === this.#batchRows) this.#endBatch();
      }
    }
    this.line += lines;
    return next;
  }

  /** What a text stands for: null where it marks a hole. */
  #cellOf(text: string, column: number): string | null {
    if (text === '') return this.#emptyCell;
    const value = this.context.decimal === ',' ? this.#decimal(text, column) : text;
    if (text.length > this.#longest) return value;
    const code = value.charCodeAt(0);
    return (code >= 128 || this.#mayBeMark[code] === 1) && this.context.missing.has(value) ? null : value;
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
      where: this.#where(column),
      remedy: 'A point may stand between thousands or before decimals: write the number without it.',
    });
  }

  #where(column: number): string {
    const name = this.dialect.columns[column];
    const named = name === undefined || !this.dialect.hasHeader ? '' : ` (${quote(name)})`;
    return `${this.context.name}, line ${this.line}, column ${column + 1}${named}`;
  }

  #refuseQuote(end: CellEnd, column: number): never {
    throw new DatasetError('format', {
      got:
        end === CellEnd.openQuote
          ? 'a quote that is not closed before the end of the file'
          : 'text behind a closing quote',
      expected: '"text", with quotes inside doubled',
      where: this.#where(column),
      remedy: 'Close the quote; double the quotes within quoted text.',
    });
  }

  #refuseBlank(): never {
    throw new DatasetError('ragged', {
      got: 'an empty line',
      expected: this.#width === 1 ? 'a value' : `${this.#width} cells`,
      where: `${this.context.name}, line ${this.#blankLine}`,
      remedy: this.#width === 1 ? 'Remove the line, or write NA where a value is missing.' : 'Remove the line.',
    });
  }

  #refuseRagged(got: number): never {
    const { delimiter, hasHeader } = this.dialect;
    const cells = `${got} ${got === 1 ? 'cell' : 'cells'}`;
    throw new DatasetError('ragged', {
      got: cells,
      expected: `${this.#width}, as on line 1${hasHeader ? ', which has the names' : ''}`,
      where: `${this.context.name}, line ${this.line}`,
      remedy: `Give every row the same number of cells, and put text that has the delimiter (${JSON.stringify(delimiter)}) in it in quotes.`,
    });
  }
}

const CELL = newCell();
