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
  /** First byte of the text: without quotes, and without spaces around it. */
  from: number;
  /** After its last byte. */
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
 * Finds the cell that begins at `from` in a text of UTF-8. A delimiter is one character; as a space it is any number of
 * spaces and tabs. Lines end in LF, CR LF or CR. A quote opens a quoted cell only where it is the first of it; within,
 * a doubled one stands for one, and line ends and delimiters are text.
 * @param isLast whether the file ends with the text
 */
export function nextCell(bytes: Buffer, from: number, delimiter: Uint8Array, isLast: boolean, cell: Cell): CellEnd {
  const end = bytes.length;
  const byBlanks = delimiter[0] === SPACE;
  let at = from;
  while (at < end && isBlank(bytes[at]!, delimiter)) at++;
  cell.doubled = false;
  cell.lineEnds = 0;
  if (at < end && bytes[at] === QUOTE) {
    cell.quoted = true;
    cell.from = ++at;
    for (;;) {
      const quote = bytes.indexOf(QUOTE, at);
      if (quote < 0 || (quote + 1 === end && !isLast)) {
        cell.to = end;
        return isLast ? CellEnd.openQuote : CellEnd.unfinished;
      }
      at = quote + 1;
      if (bytes[at] !== QUOTE) break;
      cell.doubled = true;
      at++;
    }
    cell.to = at - 1;
    cell.lineEnds = countLineEnds(bytes, cell.from, cell.to);
    while (at < end && isBlank(bytes[at]!, delimiter)) at++;
  } else {
    cell.quoted = false;
    cell.from = at;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === LF || byte === CR || (byBlanks && byte === TAB) || isDelimiter(bytes, at, delimiter)) break;
    }
    let to = at;
    while (to > cell.from && isBlank(bytes[to - 1]!, delimiter)) to--;
    cell.to = to;
    // blanks before the end of a line separate nothing
    if (byBlanks) while (at < end && isBlank(bytes[at]!, delimiter)) at++;
  }
  return endCell(bytes, at, delimiter, isLast, cell);
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

export function cellText(bytes: Buffer, { from, to, doubled }: Cell): string {
  const text = bytes.toString('utf8', from, to);
  return doubled ? text.replaceAll('""', '"') : text;
}

/** The rows that a text holds, at most so many, up to the first that is not whole. Without any care for their width. */
export function cutRows(bytes: Buffer, delimiter: string, isLast: boolean, most: number): string[][] {
  return cutText(bytes, delimiter, isLast, most).rows;
}

/** The same, and whether they end at a quote that cannot be read. */
export function cutText(
  bytes: Buffer,
  delimiter: string,
  isLast: boolean,
  most: number,
): { readonly rows: string[][]; readonly isBroken: boolean } {
  const between = Buffer.from(delimiter);
  const rows: string[][] = [];
  const cell = newCell();
  let row: string[] = [];
  for (let at = 0; at < bytes.length || row.length > 0; at = cell.next) {
    const end = nextCell(bytes, at, between, isLast, cell);
    if (end > CellEnd.row) return { rows, isBroken: end !== CellEnd.unfinished };
    row.push(cellText(bytes, cell));
    if (end === CellEnd.delimiter) continue;
    if (row.length > 1 || row[0] !== '' || cell.quoted) rows.push(row);
    row = [];
    if (rows.length === most) break;
  }
  return { rows, isBroken: false };
}
