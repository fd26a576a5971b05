import type { RawBatch } from '../raw-table.js';
import type { TextFile } from '../../reading/row-file.js';
import { NO_BYTE } from '../../reading/text-syntax.js';
import { afterLine, byteOrderMark, textPieces } from '../lines/text-pieces.js';
import type { TableContext } from '../table-options.js';
import type { CutText } from './cells.js';
import type { Dialect } from './row-reader.js';

/** How a text of delimited cells is written, so that its rows are written back as they were. */
export interface WrittenText {
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Whether a mark that says UTF-8 stands before the text. */
  readonly hasMark: boolean;
  /** What the bytes of the file are; null where they are UTF-8. */
  readonly encoding: string | null;
  /** What lines begin with that are remarks, which are in no row; null where none are. */
  readonly comment: string | null;
  /** The lines above the table, with their ends. */
  readonly above: string;
  /**
   * The names as they stand in their line, one for each column; null where there is no such line. Of R's row names,
   * which have none, the name is empty.
   */
  readonly names: readonly string[] | null;
  /** Whether the first name is not in its line. */
  readonly isShort: boolean;
  /** A text as a cell of that column, in quotes where those of the column are, or where it must be. */
  fieldOf(text: string, column: number): string;
  /** Every cell as it stands, in its quotes: a pass over the file. */
  batches(): AsyncIterable<RawBatch>;
}

const LF = 10;
const CR = 13;

/**
 * How the text is written whose first rows are given.
 *
 * @param text from the first row on
 * @param batches its cells as they stand
 */
export async function writtenText(
  file: TextFile,
  context: TableContext,
  dialect: Dialect,
  text: Buffer,
  cut: CutText,
  batches: WrittenText['batches'],
): Promise<WrittenText> {
  const { delimiter, header, columns } = dialect;
  const { syntax } = context;
  const mustQuote = mustQuoteBy(delimiter, syntax.quote, syntax.comment);
  const fieldBy = (cell: string, isQuoted: boolean): string => {
    if (syntax.escape !== NO_BYTE) return escaped(cell, syntax.escape, syntax.quote, isQuoted || mustQuote(cell));
    return isQuoted || mustQuote(cell) ? inQuotes(cell, syntax.quote) : cell;
  };
  const below = header === null ? cut.quoted : cut.quoted.slice(1);
  const rows = header === null ? cut.rows : cut.rows.slice(1);
  const areQuoted = columns.map((_, column) => {
    const isIn = (row: number): boolean => below[row]![column] === true;
    const some = [...rows.keys()].filter((row) => !context.missing.has(rows[row]![column] ?? ''));
    return some.length > 0 && some.every(isIn);
  });
  const isRenamed = header !== null && context.options.names !== undefined;
  const isShort = header !== null && !isRenamed && header.length < columns.length;
  const names = header === null ? null : isRenamed ? columns.map((name) => fieldBy(name, false)) : cut.firstWritten;
  const head = await file.head(3);
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const encoding = syntax.encoding === 'utf-8' ? null : (syntax.encoding ?? (isUtf16 ? 'utf-16' : null));
  return {
    delimiter,
    lineEnd: lineEndOf(text),
    // a spreadsheet would take it for its own encoding otherwise
    hasMark: byteOrderMark(head) > 0 || encoding !== null,
    encoding,
    comment: syntax.comment?.toString() ?? null,
    above: await linesAbove(file, context),
    names: names === null ? null : [...(isShort ? [fieldBy('', false)] : []), ...names],
    isShort,
    fieldOf: (cell, column) => fieldBy(cell, areQuoted[column]!),
    batches,
  };
}

/** What is passed over before the table, as a title or `sep=;`. */
async function linesAbove(file: TextFile, context: TableContext): Promise<string> {
  let left = context.syntax.skip;
  let above = '';
  if (left === 0) return above;
  for await (const piece of textPieces(file.bytes(), { ...context, syntax: { ...context.syntax, skip: 0 } }, () => 1)) {
    let to = 0;
    for (; left > 0 && to < piece.length; left--) to = afterLine(piece, to);
    above += piece.toString('utf8', 0, to);
    if (left === 0) break;
  }
  return above;
}

function lineEndOf(text: Buffer): string {
  const feed = text.indexOf(LF);
  if (feed < 0) return text.includes(CR) ? '\r' : '\n';
  return text[feed - 1] === CR ? '\r\n' : '\n';
}

/** Which texts would be cut in two, or read as something else, without quotes. */
function mustQuoteBy(delimiter: string, quote: number, comment: Buffer | null): (cell: string) => boolean {
  if (quote === NO_BYTE) return () => false;
  const mark = String.fromCharCode(quote);
  const remark = comment?.toString() ?? null;
  return (cell) =>
    cell.includes(delimiter) ||
    cell.includes(mark) ||
    /[\r\n]/.test(cell) ||
    cell !== cell.trim() ||
    (delimiter === ' ' && (cell === '' || cell.includes('\t'))) ||
    (remark !== null && cell.startsWith(remark));
}

function inQuotes(cell: string, quote: number): string {
  const mark = String.fromCharCode(quote === NO_BYTE ? 34 : quote);
  return `${mark}${cell.replaceAll(mark, mark + mark)}${mark}`;
}

function escaped(cell: string, escape: number, quote: number, isQuoted: boolean): string {
  const sign = String.fromCharCode(escape);
  const mark = quote === NO_BYTE ? null : String.fromCharCode(quote);
  const safe = cell.replaceAll(sign, sign + sign);
  return mark === null || !isQuoted ? safe : `${mark}${safe.replaceAll(mark, sign + mark)}${mark}`;
}
