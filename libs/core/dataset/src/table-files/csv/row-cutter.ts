import { DatasetError, quote } from '../../errors.js';
import { advise, sentences } from '../../reading/option-words.js';
import { checkUtf8, refuseLong, type TextContext } from '../lines/text-pieces.js';
import { NO_BYTE } from '../../reading/text-syntax.js';
import { CellEnd, cellText, endOfRemark, newCell, nextCell, plainEnd, type CellSyntax, type CutRow } from './cells.js';

const CR = 13;
const NEWLINE = 10;
const QUOTE = 34;
const SPACE = 32;
const NOTHING = Buffer.alloc(0);

/** Takes the cells of a text, one after another. */
export interface CellSink {
  /** Cells of a row; null before it is known. */
  readonly width: number | null;
  /** Whether cells come as they stand, in their quotes. @default without quotes and spaces around them */
  readonly takesAsWritten?: boolean;
  /** May take whole rows by itself, each a line. @returns where it stopped */
  takeRows?(text: Buffer, from: number): number;
  /** May pass over the row that begins there. @returns the row, or null where it is one to be read */
  passOver?(text: Buffer, from: number, syntax: CellSyntax, isLast: boolean): CutRow | null;
  /** A cell, `text[from ... to - 1]` without its quotes. A row that has not come whole begins again, with column 0. */
  takeCell(column: number, text: Buffer, from: number, to: number): void;
  /** Ends a row of so many cells. @throws DatasetError where it has other ones */
  endRow(cells: number): void;
  /** The name of a column, for messages; undefined where it has none. */
  nameOf(column: number): string | undefined;
}

/**
 * Cuts pieces of a text, in UTF-8, into rows of cells: the one reader of delimited text, whatever is made of its cells.
 */
export class RowCutter {
  /** The line at which the row begins that is to be read next, from 1. */
  line: number;
  /** The bytes before the row that is to be read next, or before the blank lines that it follows. */
  start = 0;
  /** The bytes before the text at hand. */
  #before = 0;
  /** The beginning of a row whose rest has not come yet. */
  #rest = NOTHING;
  #blankLine = 0;
  /** The line at which the first row begins, once it was read. */
  #firstLine = 1;
  /** Rows that were cut here, and not by the sink. */
  #rows = 0;
  /** The row that was cut last, for messages: its text, and where in it the row and the next one begin. */
  #rowText: Buffer = NOTHING;
  #rowFrom = 0;
  #rowTo = 0;
  readonly #syntax: CellSyntax;
  /** The delimiter where it is one byte and no space, and the text has usual quotes, as almost always; -1 otherwise. */
  readonly #plainDelimiter: number;

  constructor(
    private readonly context: TextContext,
    private readonly delimiter: string,
    private readonly sink: CellSink,
  ) {
    const { comment, quote, escape, skip } = context.syntax;
    const between = Buffer.from(delimiter);
    this.#syntax = { delimiter: between, comment, quote, escape };
    const [first = SPACE] = between;
    const isPlain = between.length === 1 && first !== SPACE && quote === QUOTE && escape === NO_BYTE;
    this.#plainDelimiter = isPlain ? first : -1;
    this.line = skip + 1;
  }

  /** The line at which {@link start} lies. */
  get startLine(): number {
    return this.#blankLine || this.line;
  }

  /** Takes a piece of the text, which ends behind a line. */
  push(piece: Buffer): void {
    this.#takeAll(piece, false);
  }

  /** Takes the last row, where no line end follows it. */
  end(): void {
    this.#takeAll(NOTHING, true);
  }

  /** Where the row at hand has that column, for messages. */
  where(column: number): string {
    const name = this.sink.nameOf(column);
    return `${this.context.name}, line ${this.line}, column ${column + 1}${name === undefined ? '' : ` (${quote(name)})`}`;
  }

  refuseRagged(got: number, expected: number, hasNames: boolean): never {
    const { context, delimiter } = this;
    const onFirstLine = `as on line ${this.#firstLine}${hasNames ? ', which has the names' : ''}`;
    // what is above a table is narrower than it
    const isAbove = got > expected && this.#rows <= 1;
    throw new DatasetError('ragged', {
      got: `${got} ${got === 1 ? 'cell' : 'cells'}`,
      expected: `${expected}, ${onFirstLine}`,
      where: `${context.name}, line ${this.line}`,
      remedy: sentences(
        `Give every row the same number of cells, and put text that has the delimiter (${JSON.stringify(delimiter)}) in it in quotes`,
        got < expected && this.#isCutShort()
          ? 'The file ends within this line: if something is still writing it, read it afterwards'
          : this.#syntax.escape === NO_BYTE && this.#rowHas(`\\${delimiter}`)
            ? advise(context.wordFor, 'If a backslash stands before delimiters that are text, say so', 'escape')
            : isAbove
              ? advise(
                  context.wordFor,
                  'If a title or remarks stand above the table, pass over them',
                  'skip',
                  'comment',
                )
              : null,
      ),
    });
  }

  /** Whether the row that was cut last is the last of the text, and has no line end. */
  #isCutShort(): boolean {
    const last = this.#rowText[this.#rowTo - 1];
    return this.#rowTo >= this.#rowText.length && last !== NEWLINE && last !== CR;
  }

  #rowHas(text: string): boolean {
    return this.#rowText.subarray(this.#rowFrom, this.#rowTo).includes(text);
  }

  #takeAll(piece: Buffer, isLast: boolean): void {
    const { sink } = this;
    const text = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    let isChecked = false;
    for (let next = 0; at < text.length; at = next) {
      if (sink.takeRows !== undefined && this.#blankLine === 0) at = sink.takeRows(text, at);
      if (at === text.length) break;
      if (this.#blankLine === 0) this.start = this.#before + at;
      // rows that the sink took are no other bytes than it knows
      if (!isChecked) checkUtf8(text.subarray(at), this.context, this.line);
      isChecked = true;
      next = this.#takeRemark(text, at, isLast);
      if (next === at) next = this.#takeRow(text, at, isLast);
      if (next < 0) break;
    }
    this.#before += at;
    this.#rest = at < text.length ? Buffer.from(text.subarray(at)) : NOTHING;
    if (this.#rest.length > this.context.maxLineBytes) refuseLong(this.context, this.line);
  }

  /**
   * Passes over a remark, or a row that the sink wants no cells of.
   *
   * @returns where the next line begins, `at` where this is neither, or -1 where it is not whole yet
   */
  #takeRemark(text: Buffer, at: number, isLast: boolean): number {
    const next = endOfRemark(text, at, this.#syntax.comment, isLast);
    if (next > at) this.line++;
    if (next !== at) return next;
    const row = this.sink.passOver?.(text, at, this.#syntax, isLast) ?? null;
    if (row === null) return at;
    this.line += row.lines;
    return row.next;
  }

  /** @returns where the next row begins, or -1 where this one is not whole yet. */
  #takeRow(text: Buffer, start: number, isLast: boolean): number {
    const { sink } = this;
    const delimiter = this.#plainDelimiter;
    const cell = CELL;
    let column = 0;
    let lines = 1;
    let next = start;
    for (let end: CellEnd = CellEnd.delimiter; end === CellEnd.delimiter; column++) {
      const at = next;
      const plain = delimiter < 0 ? -1 : plainEnd(text, at, delimiter);
      if (plain >= 0) {
        const byte = text[plain];
        next = plain + (byte === CR ? 2 : 1);
        if (byte !== delimiter) {
          end = CellEnd.row;
          if (column === 0 && plain === at) return this.#takeBlank(next);
        }
        sink.takeCell(column, text, at, plain);
        continue;
      }
      end = nextCell(text, at, this.#syntax, isLast, cell);
      if (end === CellEnd.unfinished) return -1;
      if (end > CellEnd.row) this.#refuseQuote(end, column);
      lines += cell.lineEnds;
      next = cell.next;
      if (column === 0 && end === CellEnd.row && cell.from === cell.to && !cell.quoted) return this.#takeBlank(next);
      if (sink.takesAsWritten === true) sink.takeCell(column, text, cell.start, cell.end);
      else if (cell.isEscaped) {
        const unquoted = Buffer.from(cellText(text, cell, this.#syntax));
        sink.takeCell(column, unquoted, 0, unquoted.length);
      } else sink.takeCell(column, text, cell.from, cell.to);
    }
    if (next - start > this.context.maxLineBytes) refuseLong(this.context, this.line);
    // of one column it may as well be a missing value
    if (this.#blankLine > 0 && column === 1 && (sink.width ?? 1) === 1) this.#refuseBlank();
    this.#blankLine = 0;
    if (this.#rows++ === 0) this.#firstLine = this.line;
    this.#rowText = text;
    this.#rowFrom = start;
    this.#rowTo = next;
    sink.endRow(column);
    this.line += lines;
    return next;
  }

  /** Blank lines are no rows. @returns where the next line begins */
  #takeBlank(next: number): number {
    if (this.#blankLine === 0) this.#blankLine = this.line;
    this.line++;
    return next;
  }

  #refuseQuote(end: CellEnd, column: number): never {
    throw new DatasetError('format', {
      got:
        end === CellEnd.openQuote
          ? 'a quote that is not closed before the end of the file'
          : 'text behind a closing quote',
      expected: '"text", with quotes inside doubled',
      where: this.where(column),
      remedy: sentences(
        'Close the quote; double the quotes within quoted text',
        advise(this.context.wordFor, 'If a backslash stands before them, say so', 'escape'),
      ),
    });
  }

  #refuseBlank(): never {
    throw new DatasetError('ragged', {
      got: 'an empty line',
      expected: 'a value',
      where: `${this.context.name}, line ${this.#blankLine}`,
      remedy: 'Remove the line, or write NA where a value is missing.',
    });
  }
}

const CELL = newCell();
