import { copyOf } from './column-texts.js';

const QUOTE = 34;
const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;

/** What ends a cell. */
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
  /** First character of the text: without quotes, and without spaces around it. */
  from: number;
  /** After its last character. */
  to: number;
  quoted: boolean;
  /** Whether doubled quotes in it stand for one each. */
  doubled: boolean;
  /** Line ends within its quotes. */
  lineEnds: number;
  /** After the cell and what ended it. */
  next: number;
}

export function newCell(): Cell {
  return { from: 0, to: 0, quoted: false, doubled: false, lineEnds: 0, next: 0 };
}

/**
 * Finds the cell that begins at `from`. The delimiter is a character's code; as a space it is any number of spaces and
 * tabs. Lines end in LF, CR LF or CR. A quote opens a quoted cell only where it is the first of it; within, a doubled one
 * stands for one, and line ends and delimiters are text.
 * @param isLast whether the file ends with the text
 */
export function nextCell(text: string, from: number, delimiter: number, isLast: boolean, cell: Cell): CellEnd {
  const end = text.length;
  const byBlanks = delimiter === SPACE;
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at), delimiter)) at++;
  cell.doubled = false;
  cell.lineEnds = 0;
  if (at < end && text.charCodeAt(at) === QUOTE) {
    cell.quoted = true;
    cell.from = ++at;
    for (;;) {
      const quote = text.indexOf('"', at);
      if (quote < 0 || (quote + 1 === end && !isLast)) {
        cell.to = end;
        return isLast ? CellEnd.openQuote : CellEnd.unfinished;
      }
      at = quote + 1;
      if (text.charCodeAt(at) !== QUOTE) break;
      cell.doubled = true;
      at++;
    }
    cell.to = at - 1;
    cell.lineEnds = countLineEnds(text, cell.from, cell.to);
    while (at < end && isBlank(text.charCodeAt(at), delimiter)) at++;
  } else {
    cell.quoted = false;
    cell.from = at;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === delimiter || code === LF || code === CR || (byBlanks && code === TAB)) break;
    }
    let to = at;
    while (to > cell.from && isBlank(text.charCodeAt(to - 1), delimiter)) to--;
    cell.to = to;
    // blanks before the end of a line separate nothing
    if (byBlanks) while (at < end && isBlank(text.charCodeAt(at), delimiter)) at++;
  }
  return endCell(text, at, delimiter, isLast, cell);
}

function endCell(text: string, at: number, delimiter: number, isLast: boolean, cell: Cell): CellEnd {
  cell.next = at + 1;
  if (at >= text.length) return isLast ? CellEnd.row : CellEnd.unfinished;
  const code = text.charCodeAt(at);
  if (code === LF) return CellEnd.row;
  if (code === CR) {
    if (text.charCodeAt(at + 1) === LF) cell.next++;
    return CellEnd.row;
  }
  if (code === delimiter) return CellEnd.delimiter;
  if (delimiter !== SPACE) return CellEnd.afterQuote;
  // between blanks nothing else is left: the next cell begins here, unless it stands at a closing quote
  cell.next = at;
  return cell.quoted && cell.to + 1 === at ? CellEnd.afterQuote : CellEnd.delimiter;
}

/**
 * Where the plain cell that begins at `from` ends, as most do: without quotes, and without blanks around it; and then a delimiter, LF or
 * CR LF follows. -1 for any other, which {@link nextCell} finds. The delimiter may not be a space.
 */
export function plainEnd(text: string, from: number, delimiter: number): number {
  const end = text.length;
  let code = 0;
  for (let at = from; at < end; at++) {
    const before = code;
    code = text.charCodeAt(at);
    if (code === delimiter || code === LF) return before === SPACE ? -1 : at;
    if (code > QUOTE) continue;
    if (code === CR) return before === SPACE || text.charCodeAt(at + 1) !== LF ? -1 : at;
    if (code === TAB || (at === from && (code === SPACE || code === QUOTE))) return -1;
  }
  return -1;
}

/** Spaces and tabs, but for what is the delimiter itself. */
function isBlank(code: number, delimiter: number): boolean {
  return code === SPACE || (code === TAB && delimiter !== TAB);
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF)) count++;
  }
  return count;
}

/** The text of a cell, which holds nothing but itself in memory. */
export function cellText(text: string, { from, to, doubled }: Cell): string {
  return doubled ? text.slice(from, to).replaceAll('""', '"') : copyOf(text, from, to);
}

/** The rows that a text holds, at most so many, up to the first that is not whole. Without any care for their width. */
export function cutRows(text: string, delimiter: number, isLast: boolean, most: number): string[][] {
  const rows: string[][] = [];
  const cell = newCell();
  let row: string[] = [];
  for (let at = 0; at < text.length || row.length > 0; at = cell.next) {
    const end = nextCell(text, at, delimiter, isLast, cell);
    if (end > CellEnd.row) break;
    row.push(cellText(text, cell));
    if (end === CellEnd.delimiter) continue;
    if (row.length > 1 || row[0] !== '' || cell.quoted) rows.push(row);
    row = [];
    if (rows.length === most) break;
  }
  return rows;
}
