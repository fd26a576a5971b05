import { listNames } from '../../rows/columns.js';
import { DatasetError } from '../../errors.js';
import { advise, withWord } from '../../reading/option-words.js';
import { distinctNames, givenNames, numberedNames } from '../column-names.js';
import type { RawBatch, RawTable } from '../raw-table.js';
import type { TextFile } from '../../reading/row-file.js';
import type { DigitRows } from '../../rows/digit-rows.js';
import { MARKS_OR_LABELS, type TableContext } from '../table-options.js';
import { refuseAbove, titleDoubt } from './above-table.js';
import { cutText, type CellSyntax, type CutText } from './cells.js';
import { headerOf } from './header.js';
import { RowReader, type Dialect } from './row-reader.js';
import { writtenText } from './written-text.js';
import { delimiterWord, isInSingleQuotes, SINGLE_QUOTE, sniffDelimiter, SNIFFED_ROWS, usualWidth } from './sniff.js';
import { checkUtf8, textPieces } from '../lines/text-pieces.js';

/** Bytes that are looked at to find delimiter and header. */
const SAMPLE = 1 << 16;
const SPACE = 32;

/**
 * A text of delimited cells. Delimiter, quotes and header are found from its first rows, and reported.
 * @param usual the delimiter that the name of the file stands for, taken where it cuts the first row
 * @param digits its first rows, where the reader of bits has cut them already
 */
export async function openCsv(
  file: TextFile,
  asked: TableContext,
  usual: string | null,
  digits: DigitRows | null,
): Promise<RawTable> {
  const { text, isWhole } = await readSample(file, asked);
  const notes: string[] = [];
  const { delimiter, context } = syntaxOf(asked, text, isWhole, usual, notes);
  const cut = cutText(text, { ...context.syntax, delimiter: Buffer.from(delimiter) }, isWhole, SNIFFED_ROWS);
  // a first row that cannot be cut is refused by the reader, which says where it goes wrong
  const dialect =
    cut.rows.length === 0
      ? { delimiter, header: null, columns: ['column 1'] }
      : dialectOf(context, delimiter, cut, notes);
  let isNoted = false;
  const onRepeated = (lines: readonly number[], count: number): void => {
    if (!isNoted && count > 0) notes.push(repeatedNote(lines, count, context.syntax.skip + cut.lines[0]!));
    isNoted = true;
  };
  const asWritten: TableContext = { ...context, decimal: '.', missing: new Set(), asWritten: true };
  const written = await writtenText(file, context, dialect, text, cut, () =>
    readBatches(file, asWritten, dialect, null, null, onRepeated),
  );
  const tableOf = (read: TableContext): RawTable => ({
    name: context.name,
    format: 'csv',
    columns: dialect.columns,
    hasHeader: dialect.header !== null,
    written,
    firstLine: context.syntax.skip + linesAbove(dialect, cut) + 1,
    notes,
    batches: (needed) => {
      const taken = isCutAs(dialect, digits) ? digits : null;
      return readBatches(file, read, dialect, needed ?? null, taken, onRepeated);
    },
    isStrict: context.options.strict,
    wordFor: context.wordFor,
    close: () => file.close(),
  });
  if (context.options.missing !== undefined) return tableOf(context);
  const mayBeLabel = (columns: ReadonlySet<number> | undefined) => (column: number, text: string) =>
    columns?.has(column) !== false && MARKS_OR_LABELS.has(text);
  return {
    ...tableOf(context),
    withMarks: (columns) => ({
      ...tableOf({ ...context, mayBeLabel: mayBeLabel(columns) }),
      marks: MARKS_OR_LABELS,
    }),
  };
}

/** Lines above the rows: those of the names, and what stands before them. */
function linesAbove({ header }: Dialect, { lines }: CutText): number {
  if (header === null) return 0;
  // a name in quotes may take several lines
  return (lines[0] ?? 1) + header.reduce((sum, name) => sum + (name.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

/** Lines of one kind that a note names. */
const NAMED_LINES = 5;

function repeatedNote(lines: readonly number[], count: number, first: number): string {
  const named = lines.slice(0, NAMED_LINES).join(', ');
  const all =
    count === 1 ? `Line ${named}, which repeats` : `Lines ${named}${count > NAMED_LINES ? ', …' : ''}, which repeat`;
  return `${all} the names of line ${first}, ${count === 1 ? 'is' : 'are'} passed over${count > NAMED_LINES ? ` (${count} lines)` : ''}.`;
}

/** Whether the reader of bits cut a text at the same places. */
function isCutAs({ delimiter, header, columns }: Dialect, digits: DigitRows | null): boolean {
  const isSame = digits?.delimiter === delimiter && digits.columns === columns.length;
  return isSame && digits.hasHeader === (header !== null);
}

async function* readBatches(
  file: TextFile,
  context: TableContext,
  dialect: Dialect,
  needed: ReadonlySet<number> | null,
  digits: DigitRows | null,
  onRepeated: (lines: readonly number[], count: number) => void,
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
  onRepeated(reader.repeated, reader.repeatedCount);
  if (rows > 0) return;
  const hasHeader = dialect.header !== null;
  throw new DatasetError('empty', {
    got: hasHeader ? `names (${listNames(dialect.columns)}) and no row` : 'no row',
    expected: 'at least one row',
    where: context.name,
    remedy: hasHeader
      ? `If line 1 is a row, ${withWord(context.wordFor, 'read it without a header', 'header')}.`
      : 'Check that the right file was given.',
  });
}

/** The beginning of the text: some rows, and at least one whole one unless the file has none. */
async function readSample(file: TextFile, context: TableContext): Promise<{ text: Buffer; isWhole: boolean }> {
  let text: Buffer = Buffer.alloc(0);
  const start = context.syntax.skip + 1;
  const usual: CellSyntax = { ...context.syntax, delimiter: Buffer.from(context.options.delimiter ?? ',') };
  for await (const piece of textPieces(file.bytes(), context, () => start)) {
    if (text.length === 0) checkUtf8(piece, context, start);
    text = Buffer.concat([text, piece]);
    // a quote may hold more than the sample: then more is read, up to the longest row
    const isEnough = text.length >= SAMPLE && cutText(text, usual, false, 2).rows.length > 0;
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

/** The delimiter of a text, and how its cells are quoted. */
function syntaxOf(
  context: TableContext,
  text: Buffer,
  isWhole: boolean,
  usual: string | null,
  notes: string[],
): { readonly delimiter: string; readonly context: TableContext } {
  const { wordFor, options, syntax } = context;
  const found = delimiterOf(context, text, isWhole, usual);
  if (options.quote === undefined) {
    // what stands in single quotes is cut at other places
    const single = { ...context, syntax: { ...syntax, quote: SINGLE_QUOTE } };
    const other = delimiterOf(single, text, isWhole, usual);
    if (isInSingleQuotes(text, other ?? ',', isWhole, syntax)) {
      const way = withWord(wordFor, 'if these are part of the text, say so', 'quote');
      notes.push(`Cells stand in single quotes; ${way}.`);
      return { delimiter: noted(other), context: single };
    }
  }
  return { delimiter: noted(found), context };

  function noted(delimiter: string | null): string {
    if (delimiter === null) {
      const otherwise = advise(wordFor, 'if there are more, give the delimiter', 'delimiter');
      notes.push(`The table has one column${otherwise === null ? '' : `; ${otherwise}`}.`);
      return ',';
    }
    const isSniffed = options.delimiter === undefined && delimiter !== usual;
    if (isSniffed && delimiter !== ',') notes.push(`Cells are separated by ${delimiterWord(delimiter)}.`);
    return delimiter;
  }
}

/** Null where the table has one column. */
function delimiterOf(
  { options, syntax }: TableContext,
  text: Buffer,
  isWhole: boolean,
  usual: string | null,
): string | null {
  if (options.delimiter !== undefined) return options.delimiter;
  if (usual !== null) {
    const { rows } = cutText(text, { ...syntax, delimiter: Buffer.from(usual) }, isWhole, SNIFFED_ROWS);
    if (usualWidth(rows) > 1) return usual;
  }
  return sniffDelimiter(text, isWhole, syntax);
}

function dialectOf(context: TableContext, delimiter: string, cut: CutText, notes: string[]): Dialect {
  const { wordFor, syntax } = context;
  const [first = [], ...below] = cut.rows;
  const line = syntax.skip + cut.lines[0]!;
  const isNarrow = below.length > 0 && below.every((row) => row.length === first.length + 1);
  if (isNarrow && context.header !== false && below.every((row) => row.at(-1) === ''))
    throw new DatasetError('ragged', {
      got: `rows that end in a delimiter (${JSON.stringify(delimiter)}) and names that do not`,
      expected: 'as many cells as names',
      where: `${context.name}, line ${syntax.skip + cut.lines[1]!}`,
      remedy: 'Remove the delimiters at the ends of the rows, or put one behind the names.',
    });
  const isShort = refuseAbove(context, cut);
  const given = givenNames(context, isShort ? first.length + 1 : first.length);
  if (given && context.header === 'auto') {
    // names that stand in the file already are its header; other words may be a header that was overlooked
    const same = given.every((name, column) => name === first[column]);
    if (!same && !isShort) refuseTwoNames(context, first, below, line);
    return { delimiter, header: same || isShort ? first : null, columns: given };
  }
  const isPlain = isShort || (context.header === 'auto' && hasLearnedNames(context, first));
  const found = isPlain ? 'plain' : headerOf(context, first, below, line);
  if (found === 'none') {
    const columns = given ?? numberedNames(first.length);
    if (!given)
      notes.push(
        `Line ${line} is taken for values, and columns are called by number; ${withWord(wordFor, 'if it holds names, say so', 'header')}.`,
      );
    return { delimiter, header: null, columns };
  }
  if (given) {
    notes.push(`The names of line ${line} (${listNames(first)}) are replaced by those that were given.`);
    return { delimiter, header: first, columns: given };
  }
  if (found === 'guessed') {
    notes.push(
      `Line ${line} is taken for the names of the columns: ${listNames(first)}; ${withWord(wordFor, 'if it is a row, say so', 'header')}.`,
    );
    const doubt = titleDoubt(context, first, below, line);
    if (doubt !== null) notes.push(doubt);
  }
  if (isShort) notes.push('Rows have a cell more than line 1 has names: the first column is taken for row names.');
  return { delimiter, header: first, columns: distinctNames(isShort ? ['', ...first] : first, notes) };
}

/** Whether line 1 names every column that a model has learned. */
function hasLearnedNames({ options }: TableContext, first: readonly string[]): boolean {
  if (options.learnedNames === undefined) return false;
  const names = new Set(distinctNames(first, []));
  return options.learnedNames.every((name) => names.has(name));
}

function refuseTwoNames(
  context: TableContext,
  first: readonly string[],
  below: readonly (readonly string[])[],
  line: number,
): void {
  if (headerOf(context, first, below, line) === 'none') return;
  throw new DatasetError('header', {
    got: `names for the columns, and a line ${line} that seems to hold names (${listNames(first)})`,
    expected: 'names in one place',
    where: `${context.name}, line ${line}`,
    remedy: `Leave the names out, or ${withWord(context.wordFor, 'say whether that line is a header, which they replace', 'header')}.`,
  });
}
