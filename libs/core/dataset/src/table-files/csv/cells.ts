import { byteOrderMark } from '../lines/text-pieces.js';
import { NO_BYTE, type TextSyntax } from '../../reading/text-syntax.js';

const QUOTE = 34;
const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;

/** What separates cells, and what stands around them. */
export interface CellSyntax extends Pick<TextSyntax, 'comment' | 'quote' | 'escape'> {
  /** One character in UTF-8. */
  readonly delimiter: Uint8Array;
}

export const CellEnd = {
  /** A delimiter: the row goes on. */
  delimiter: 0,
  /** A line end, or the end of the file. */
  row: 1,
  /** The text ended first: with more of it the cell may go on. */
  unfinished: 2,
  /** The file ends, and a quote is open. */
  openQuote: 3,
  /** Something other than a delimiter follows the closing quote. */
  afterQuote: 4,
} as const;
export type CellEnd = (typeof CellEnd)[keyof typeof CellEnd];

/** One cell. Filled anew by {@link nextCell}, so that reading allocates nothing but the cells' texts. */
export interface Cell {
  /** First byte of the text: without quotes, and without spaces around it. */
  from: number;
  /** After its last byte. */
  to: number;
  /** First byte of the cell as it stands, with quotes and spaces around them. */
  start: number;
  /** After the last byte of it. */
  end: number;
  quoted: boolean;
  /** Whether doubled quotes or escapes in it stand for one character each. */
  isEscaped: boolean;
  /** Line ends within its quotes. */
  lineEnds: number;
  /** After the cell and what ended it. */
  next: number;
}

export function newCell(): Cell {
  return { from: 0, to: 0, start: 0, end: 0, quoted: false, isEscaped: false, lineEnds: 0, next: 0 };
}

/**
 * Finds the cell that begins at `from` in a text of UTF-8. A delimiter is one character; as a space it is any number of
 * spaces and tabs. Lines end in LF, CR LF or CR. A quote opens a quoted cell only where it is the first of it; within,
 * a doubled one stands for one, and line ends and delimiters are text. What stands behind an escape is text anywhere.
 * @param isLast whether the file ends with the text
 */
export function nextCell(bytes: Buffer, from: number, syntax: CellSyntax, isLast: boolean, cell: Cell): CellEnd {
  const { delimiter, quote, escape } = syntax;
  const end = bytes.length;
  const byBlanks = delimiter[0] === SPACE;
  let at = from;
  while (at < end && isBlank(bytes[at]!, delimiter)) at++;
  // blanks that separate cells are part of none
  cell.start = byBlanks ? at : from;
  cell.isEscaped = false;
  cell.lineEnds = 0;
  cell.quoted = at < end && bytes[at] === quote;
  if (cell.quoted) {
    cell.from = at + 1;
    const closing = closingQuote(bytes, cell.from, syntax, isLast, cell);
    if (closing < 0) {
      cell.to = end;
      return isLast ? CellEnd.openQuote : CellEnd.unfinished;
    }
    cell.to = closing;
    cell.lineEnds = countLineEnds(bytes, cell.from, cell.to);
    at = closing + 1;
    cell.end = at;
    while (at < end && isBlank(bytes[at]!, delimiter)) at++;
  } else {
    cell.from = at;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === escape) {
        if (at + 1 === end && !isLast) return CellEnd.unfinished;
        cell.isEscaped = true;
        at++;
        continue;
      }
      if (byte === LF || byte === CR || (byBlanks && byte === TAB) || isDelimiter(bytes, at, delimiter)) break;
    }
    at = Math.min(at, end);
    let to = at;
    while (to > cell.from && isBlank(bytes[to - 1]!, delimiter)) to--;
    cell.to = to;
    cell.end = to;
    if (cell.isEscaped) cell.lineEnds = countLineEnds(bytes, cell.from, cell.to);
    // blanks before the end of a line separate nothing
    if (byBlanks) while (at < end && isBlank(bytes[at]!, delimiter)) at++;
  }
  if (!byBlanks) cell.end = at;
  return endCell(bytes, at, delimiter, isLast, cell);
}

/** Where the quote is that closes a cell whose text begins at `from`; -1 where it has not come yet. */
function closingQuote(bytes: Buffer, from: number, { quote, escape }: CellSyntax, isLast: boolean, cell: Cell): number {
  let at = from;
  for (;;) {
    const next = escape === NO_BYTE ? bytes.indexOf(quote, at) : firstOf(bytes, at, quote, escape);
    // whether a quote at the end of the text is doubled is not known yet
    if (next < 0 || (next + 1 === bytes.length && !isLast)) return -1;
    const isEscape = bytes[next] === escape;
    if (!isEscape && bytes[next + 1] !== quote) return next;
    cell.isEscaped = true;
    at = next + 2;
  }
}

function firstOf(bytes: Buffer, from: number, one: number, other: number): number {
  for (let at = from; at < bytes.length; at++) if (bytes[at] === one || bytes[at] === other) return at;
  return -1;
}

function endCell(bytes: Uint8Array, at: number, delimiter: Uint8Array, isLast: boolean, cell: Cell): CellEnd {
  cell.next = at + 1;
  if (at >= bytes.length) return isLast ? CellEnd.row : CellEnd.unfinished;
  if (bytes[at] === LF) return CellEnd.row;
  if (bytes[at] === CR) {
    if (bytes[at + 1] === LF) cell.next++;
    return CellEnd.row;
  }
  if (isDelimiter(bytes, at, delimiter)) {
    cell.next = at + delimiter.length;
    return CellEnd.delimiter;
  }
  if (delimiter[0] !== SPACE) return CellEnd.afterQuote;
  // between blanks nothing else is left: the next cell begins here, unless it stands at a closing quote
  cell.next = at;
  return cell.quoted && cell.to + 1 === at ? CellEnd.afterQuote : CellEnd.delimiter;
}

/**
 * Where the plain cell that begins at `from` ends, as most do: without quotes, and without blanks around it; and then a
 * delimiter, LF or CR LF follows. -1 for any other, which {@link nextCell} finds.
 * @param delimiter a byte, no space
 */
export function plainEnd(bytes: Uint8Array, from: number, delimiter: number): number {
  const end = bytes.length;
  // of a comma all that matters is less than what cells are made of
  const most = Math.max(delimiter, QUOTE);
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    if (byte > most) continue;
    if (byte === delimiter || byte === LF) return at > from && bytes[at - 1] === SPACE ? -1 : at;
    if (byte === CR) return (at > from && bytes[at - 1] === SPACE) || bytes[at + 1] !== LF ? -1 : at;
    if (byte === TAB || (at === from && (byte === SPACE || byte === QUOTE))) return -1;
  }
  return -1;
}

function isDelimiter(bytes: Uint8Array, at: number, delimiter: Uint8Array): boolean {
  for (let i = 0; i < delimiter.length; i++) if (bytes[at + i] !== delimiter[i]) return false;
  return true;
}

/** Spaces and tabs, but for what is the delimiter itself. */
function isBlank(byte: number, delimiter: Uint8Array): boolean {
  return byte === SPACE || (byte === TAB && delimiter[0] !== TAB);
}

function countLineEnds(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) count++;
  return count;
}

/** What stands for a missing value where texts have escapes, and not an escaped N. */
const NULL_OF_DATABASES = '\\N';

export function cellText(bytes: Buffer, { from, to, isEscaped, quoted }: Cell, { quote, escape }: CellSyntax): string {
  const text = bytes.toString('utf8', from, to);
  if (!isEscaped || (!quoted && text === NULL_OF_DATABASES)) return text;
  if (escape === NO_BYTE) {
    const one = String.fromCharCode(quote);
    return text.replaceAll(one + one, one);
  }
  let plain = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // behind it one character is text, whatever it is: an escape, or the second of two quotes
    if (code === escape || (quoted && code === quote)) at++;
    plain += text.charAt(at);
  }
  return plain;
}

/**
 * Where the line ends that begins at `from` and is a remark, behind its end; `from` where it is none, and -1 where the
 * text ends before it is known.
 */
export function endOfRemark(bytes: Buffer, from: number, comment: Buffer | null, isLast: boolean): number {
  if (comment === null || bytes[from] !== comment[0]) return from;
  for (let i = 1; i < comment.length; i++) {
    if (from + i === bytes.length && !isLast) return -1;
    if (bytes[from + i] !== comment[i]) return from;
  }
  return endOfLine(bytes, from, isLast);
}

/** Behind the end of the line that is at hand; -1 where the text ends before it is known. */
function endOfLine(bytes: Buffer, from: number, isLast: boolean): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === LF) return at + 1;
    if (bytes[at] !== CR) continue;
    if (at + 1 === bytes.length && !isLast) return -1;
    return bytes[at + 1] === LF ? at + 2 : at + 1;
  }
  return isLast ? bytes.length : -1;
}

/** A row by itself. */
export interface CutRow {
  readonly cells: readonly string[];
  /** Of each cell, whether it stands in quotes. */
  readonly quoted: readonly boolean[];
  /** Each cell as it stands, in its quotes. */
  readonly written: readonly string[];
  /** Where the next row begins. */
  readonly next: number;
  /** The lines that it takes. */
  readonly lines: number;
}

/** The row that begins at `from`; how it ends where it is not whole. */
export function cutRow(
  bytes: Buffer,
  from: number,
  syntax: CellSyntax,
  isLast: boolean,
): CutRow | Exclude<CellEnd, 0 | 1> {
  const cell = newCell();
  const cells: string[] = [];
  const quoted: boolean[] = [];
  const written: string[] = [];
  let lines = 1;
  for (let at = from; ; at = cell.next) {
    const end = nextCell(bytes, at, syntax, isLast, cell);
    if (end !== CellEnd.delimiter && end !== CellEnd.row) return end;
    cells.push(cellText(bytes, cell, syntax));
    quoted.push(cell.quoted);
    written.push(bytes.toString('utf8', cell.start, cell.end));
    lines += cell.lineEnds;
    if (end === CellEnd.row) return { cells, quoted, written, next: cell.next, lines };
  }
}

/** Rows that were cut from the beginning of a text, without any care for their width. */
export interface CutText {
  readonly rows: readonly (readonly string[])[];
  /** Of each cell, whether it stands in quotes. */
  readonly quoted: readonly (readonly boolean[])[];
  /** The cells of the first row as they stand, in their quotes. */
  readonly firstWritten: readonly string[];
  /** The line at which each row begins, counted from 1 at the beginning of the text. */
  readonly lines: readonly number[];
  /** Whether they end at a quote that cannot be read. */
  readonly isBroken: boolean;
}

/** The rows that a text holds, at most so many, up to the first that is not whole. */
export function cutText(bytes: Buffer, syntax: CellSyntax, isLast: boolean, most: number): CutText {
  const rows: (readonly string[])[] = [];
  const quoted: (readonly boolean[])[] = [];
  const lines: number[] = [];
  let firstWritten: readonly string[] = [];
  let line = 1;
  let at = 0;
  while (at < bytes.length && rows.length < most) {
    // files that were put together may each have had a mark
    at += byteOrderMark(bytes, at);
    const afterRemark = endOfRemark(bytes, at, syntax.comment, isLast);
    if (afterRemark < 0) break;
    if (afterRemark > at) {
      at = afterRemark;
      line++;
      continue;
    }
    const row = cutRow(bytes, at, syntax, isLast);
    if (typeof row === 'number') return { rows, quoted, firstWritten, lines, isBroken: row !== CellEnd.unfinished };
    if (row.cells.length > 1 || row.cells[0] !== '' || row.quoted[0]) {
      if (rows.length === 0) firstWritten = row.written;
      rows.push(row.cells);
      quoted.push(row.quoted);
      lines.push(line);
    }
    at = row.next;
    line += row.lines;
  }
  return { rows, quoted, firstWritten, lines, isBroken: false };
}
