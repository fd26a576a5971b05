import { listNames } from '../../rows/columns.js';
import { DatasetError } from '../../errors.js';
import { advise, withWord } from '../../reading/option-words.js';
import { distinctNames, givenNames, numberedNames } from '../column-names.js';
import type { RawBatch, RawTable } from '../raw-table.js';
import type { TextFile } from '../../reading/row-file.js';
import type { DigitRows } from '../../rows/digit-rows.js';
import type { TableContext } from '../table-options.js';
import { cutRows } from './cells.js';
import { headerOf } from './header.js';
import { RowReader, type Dialect } from './row-reader.js';
import { delimiterWord, sniffDelimiter, SNIFFED_ROWS } from './sniff.js';
import { checkUtf8, textPieces } from '../lines/text-pieces.js';

/** Bytes that are looked at to find delimiter and header. */
const SAMPLE = 1 << 16;
const SPACE = 32;

/**
 * A text of delimited cells. Delimiter and header are found from its first rows, and reported.
 * @param usual the delimiter that the name of the file stands for, taken where it cuts the first row
 * @param digits its first rows, where the reader of bits has cut them already
 */
export async function openCsv(
  file: TextFile,
  context: TableContext,
  usual: string | null,
  digits: DigitRows | null,
): Promise<RawTable> {
  const { text, isWhole } = await readSample(file, context);
  const notes: string[] = [];
  const delimiter = delimiterOf(context, text, isWhole, usual, notes);
  const [first, ...below] = cutRows(text, delimiter, isWhole, SNIFFED_ROWS);
  // a first row that cannot be cut is refused by the reader, which says where it goes wrong
  const dialect =
    first === undefined
      ? { delimiter, hasHeader: false, columns: ['column 1'] }
      : dialectOf(context, delimiter, first, below, notes);
  return {
    name: context.name,
    format: 'csv',
    columns: dialect.columns,
    hasHeader: dialect.hasHeader,
    notes,
    batches: (needed) => readBatches(file, context, dialect, needed ?? null, isCutAs(dialect, digits) ? digits : null),
    close: () => file.close(),
  };
}

/** Whether the reader of bits cut a text at the same places. */
function isCutAs({ delimiter, hasHeader, columns }: Dialect, digits: DigitRows | null): boolean {
  return digits?.delimiter === delimiter && digits.hasHeader === hasHeader && digits.columns === columns.length;
}

async function* readBatches(
  file: TextFile,
  context: TableContext,
  dialect: Dialect,
  needed: ReadonlySet<number> | null,
  digits: DigitRows | null,
): AsyncGenerator<RawBatch, void> {
  const reader = new RowReader(context, dialect, needed);
  let rows = digits?.rows ?? 0;
  let taken = digits?.end.start ?? 0;
  if (digits !== null) yield* reader.takeDigits(digits);
  for await (const piece of textPieces(file.bytes(), context, () => reader.cutter.line)) {
    const skipped = Math.min(taken, piece.length);
    taken -= skipped;
    reader.cutter.push(piece.subarray(skipped));
    for (const batch of reader.take()) {
      rows += batch.rows;
      yield batch;
    }
  }
  reader.end();
  for (const batch of reader.take()) {
    rows += batch.rows;
    yield batch;
  }
  if (rows > 0) return;
  throw new DatasetError('empty', {
    got: dialect.hasHeader ? `names (${listNames(dialect.columns)}) and no row` : 'no row',
    expected: 'at least one row',
    where: context.name,
    remedy: dialect.hasHeader
      ? `If line 1 is a row, ${withWord(context.wordFor, 'read it without a header', 'header')}.`
      : 'Check that the right file was given.',
  });
}

/** The beginning of the text: some rows, and at least one whole one unless the file has none. */
async function readSample(file: TextFile, context: TableContext): Promise<{ text: Buffer; isWhole: boolean }> {
  let text: Buffer = Buffer.alloc(0);
  for await (const piece of textPieces(file.bytes(), context, () => 1)) {
    if (text.length === 0) checkUtf8(piece, context, 1);
    text = Buffer.concat([text, piece]);
    // a quote may hold more than the sample: then more is read, up to the longest row
    const isEnough = text.length >= SAMPLE && cutRows(text, context.options.delimiter ?? ',', false, 2).length > 0;
    if (isEnough || text.length > context.maxLineBytes) return { text, isWhole: false };
  }
  if (!text.some(isInk))
    throw new DatasetError('empty', {
      got: 'no line with values',
      expected: 'at least one row',
      where: context.name,
      remedy: 'Check that the right file was given.',
    });
  return { text, isWhole: true };
}

function isInk(byte: number): boolean {
  return byte > SPACE;
}

function delimiterOf(
  context: TableContext,
  text: Buffer,
  isWhole: boolean,
  usual: string | null,
  notes: string[],
): string {
  const { wordFor, options } = context;
  if (options.delimiter !== undefined) return options.delimiter;
  if (usual !== null && (cutRows(text, usual, isWhole, 1)[0]?.length ?? 0) > 1) return usual;
  const sniffed = sniffDelimiter(text, isWhole);
  if (sniffed === null) {
    const otherwise = advise(wordFor, 'if there are more, give the delimiter', 'delimiter');
    notes.push(`The table has one column${otherwise === null ? '' : `; ${otherwise}`}.`);
    return ',';
  }
  if (sniffed !== ',') notes.push(`Cells are separated by ${delimiterWord(sniffed)}.`);
  return sniffed;
}

function dialectOf(
  context: TableContext,
  delimiter: string,
  first: readonly string[],
  below: readonly (readonly string[])[],
  notes: string[],
): Dialect {
  const { wordFor } = context;
  const isShort = below.length > 0 && below.every((row) => row.length === first.length + 1);
  const given = givenNames(context, isShort ? first.length + 1 : first.length);
  if (given && context.header === 'auto') {
    // names that stand in the file already are its header; other words may be a header that was overlooked
    const same = given.every((name, column) => name === first[column]);
    if (!same && !isShort) refuseTwoNames(context, first, below);
    return { delimiter, hasHeader: same || isShort, columns: given };
  }
  const header = isShort ? 'plain' : headerOf(context, first, below);
  const hasHeader = header !== 'none';
  if (isShort && below.every((row) => row.at(-1) === '')) refuseTrailing(context, delimiter);
  if (!hasHeader) {
    const columns = given ?? numberedNames(first.length);
    if (!given)
      notes.push(
        `Line 1 is taken for values, and columns are called by number; ${withWord(wordFor, 'if it holds names, say so', 'header')}.`,
      );
    return { delimiter, hasHeader, columns };
  }
  if (given) {
    notes.push(`The names of line 1 (${listNames(first)}) are replaced by those that were given.`);
    return { delimiter, hasHeader, columns: given };
  }
  if (header === 'guessed')
    notes.push(
      `Line 1 is taken for the names of the columns: ${listNames(first)}; ${withWord(wordFor, 'if it is a row, say so', 'header')}.`,
    );
  if (isShort) notes.push('Rows have a cell more than line 1 has names: the first column is taken for row names.');
  return { delimiter, hasHeader, columns: distinctNames(isShort ? ['', ...first] : first, notes) };
}

function refuseTwoNames(context: TableContext, first: readonly string[], below: readonly (readonly string[])[]): void {
  if (headerOf(context, first, below) === 'none') return;
  throw new DatasetError('header', {
    got: `names for the columns, and a line 1 that seems to hold names (${listNames(first)})`,
    expected: 'names in one place',
    where: `${context.name}, line 1`,
    remedy: `Leave the names out, or ${withWord(context.wordFor, 'say whether line 1 is a header, which they replace', 'header')}.`,
  });
}

function refuseTrailing(context: TableContext, delimiter: string): never {
  throw new DatasetError('ragged', {
    got: `rows that end in a delimiter (${JSON.stringify(delimiter)}) and names that do not`,
    expected: 'as many cells as names',
    where: `${context.name}, line 2`,
    remedy: 'Remove the delimiters at the ends of the rows, or put one behind the names.',
  });
}
