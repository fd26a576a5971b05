import { FORMAT_OF_CONTENT, readBitsOr, readMasked, type MaskedRows } from '../bit-files/read.js';
import { DatasetError, type DatasetErrorCode } from '../errors.js';
import { isOfParts, noteOfParts, type FileOfParts } from '../parts/file-of-parts.js';
import { formatOfParts, isTextFormat, joinTexts } from '../parts/join-texts.js';
import type { BitMatrix } from '../rows/bit-matrix.js';
import type { DigitRows } from '../rows/digit-rows.js';
import { openTableFrom } from '../table-files/open-table.js';
import type { RawTable } from '../table-files/raw-table.js';
import { refusingChange } from './changed-file.js';
import { extensionOf } from './detect.js';
import { noWord } from './option-words.js';
import type { RowFile } from './row-file.js';
import { checkTextOptions } from './text-syntax.js';
import type { TableFileOptions } from '../table-files/table-options.js';
import type { ReadOptions } from './options.js';

/** How a file is read: as rows of bits, as a table, or, with both, as rows of bits where every cell is 0 or 1. */
export interface RowsOptions {
  /** How it becomes rows of bits; null where it is not to be read as such. */
  readonly bits: ReadOptions | null;
  /** How it becomes a table; null where it is not to be read as such. */
  readonly table: TableFileOptions | null;
}

/** All that is needed of a file whose rows are bits, which are read once. */
type ReadOnce = Pick<RowFile, 'name' | 'bytes' | 'change'>;

export interface RowsOfBits {
  readonly kind: 'bits';
  readonly matrix: BitMatrix;
}

export interface RowsOfTable {
  readonly kind: 'table';
  /** Its cells are still to be read. */
  readonly table: RawTable;
  /** Why the file is not rows of bits; null where that was not asked for. */
  readonly whyNotBits: DatasetError | null;
}

/**
 * What rows are refused as bits for that may be those of a table. All else (a damaged file, a limit) is wrong with the
 * file, whatever it holds.
 */
const REFUSALS_OF_TABLES: ReadonlySet<DatasetErrorCode> = new Set([
  'value',
  'missing-value',
  'header',
  'column',
  'format',
  'ragged',
  'empty',
]);

/**
 * What is read as bits, or why it is not bits though it may be a table.
 *
 * @throws DatasetError where it is neither
 */
export async function bitsOrWhyNot<Bits>(read: () => Promise<Bits>): Promise<Bits | DatasetError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DatasetError && REFUSALS_OF_TABLES.has(error.code)) return error;
    throw error;
  }
}

/**
 * The rows of a file: bits, or a table whose cells are read when they are asked for. This is the one place where that
 * is decided: by the format, and in a text by the first cell that is not a bit, where the reader of bits stops. It
 * hands the rows before it over to the reader of tables, so that no row of delimited text is cut into cells twice.
 *
 * @throws DatasetError where it is neither, or not what it has to be
 */
export async function openRows(file: ReadOnce, options: { bits: ReadOptions; table: null }): Promise<RowsOfBits>;
export async function openRows(file: RowFile, options: { bits: null; table: TableFileOptions }): Promise<RowsOfTable>;
export async function openRows(file: RowFile, options: RowsOptions): Promise<RowsOfBits | RowsOfTable>;
export async function openRows(
  file: RowFile | ReadOnce,
  { bits, table }: RowsOptions,
): Promise<RowsOfBits | RowsOfTable> {
  if (isOfParts(file) && bits !== null) return openRowsOfParts(file, bits, table);
  let digits: DigitRows | null = null;
  const keep = (rows: DigitRows): void => {
    digits = rows;
  };
  const source = { name: file.name, bytes: file.bytes() };
  const read = bits && (await refusingChange(file, () => bitsOrWhyNot(() => readBitsOr(source, bits, keep))));
  if (read !== null && !(read instanceof DatasetError)) return { kind: 'bits', matrix: read };
  if (table === null) throw (await file.change?.()) ?? read ?? new TypeError('rows are bits, a table, or either');
  try {
    return { kind: 'table', table: await openTableFrom(file as RowFile, table, digits), whyNotBits: read };
  } catch (error) {
    throw sameOfBits(read, error);
  }
}

/** Texts are one text; where files of another kind are rows of bits, the table that they are is. */
async function openRowsOfParts(
  file: FileOfParts,
  bits: ReadOptions,
  table: TableFileOptions | null,
): Promise<RowsOfBits | RowsOfTable> {
  const whole = await joinedBits(file, bits);
  if (whole === null) {
    const whyNotBits = refusedParts(file);
    if (table === null) throw whyNotBits;
    return { ...(await openRows(file, { bits: null, table })), whyNotBits };
  }
  const { joined, options } = whole;
  try {
    bits.onNote?.(noteOfParts(file));
    const rows = await openRows(joined.file, { bits: options, table });
    return rows.kind === 'bits' ? rows : { ...rows, table: joined.placedTable(rows.table) };
  } catch (error) {
    throw await joined.placed(error);
  }
}

/** Rows of bits with missing values, from one file or several. */
export async function readMaskedFile(file: RowFile, options: ReadOptions): Promise<MaskedRows> {
  const whole = isOfParts(file) ? await joinedBits(file, options) : null;
  if (isOfParts(file) && whole === null) throw refusedParts(file);
  const own = whole?.joined.file ?? file;
  try {
    return await refusingChange(own, () =>
      readMasked({ name: own.name, bytes: own.bytes() }, whole?.options ?? options),
    );
  } catch (error) {
    throw (await whole?.joined.placed(error)) ?? error;
  }
}

/** Null of files that are no texts. */
async function joinedBits(
  file: FileOfParts,
  bits: ReadOptions,
): Promise<{ readonly joined: Awaited<ReturnType<typeof joinTexts>>; readonly options: ReadOptions } | null> {
  const { header, wordFor = noWord, ...rest } = bits;
  const format = FORMAT_OF_CONTENT[bits.format ?? 'any'];
  const expected = 'rows of 0 and 1 in a format that is read here';
  const found = await formatOfParts(file, { format, expected, wordFor, syntax: checkTextOptions(rest) });
  if (!isTextFormat(found)) return null;
  const isDebd = bits.format === 'data' || (bits.format === undefined && extensionOf(file.name) === 'data');
  const { encoding, skip, comment, quote, escape } = rest;
  const joined = await joinTexts(file, found, {
    encoding,
    skip,
    comment,
    quote,
    escape,
    format: found,
    header: isDebd && header === undefined ? false : header,
    ...(bits.format === 'tsv' && { delimiter: '\t' }),
  });
  return { joined, options: { ...bits, header: joined.header ?? header } };
}

function refusedParts({ name, parts }: FileOfParts): DatasetError {
  return new DatasetError('format', {
    got: `${parts.length} files that are no texts`,
    expected: 'rows of 0 and 1 in one file, or in several texts',
    where: name,
    remedy: 'Put them into one file, or write them as CSV.',
  });
}

/**
 * Columns that were asked for and are not in the file are refused as those of bits: the table has them no more than
 * those.
 */
export function sameOfBits(whyNotBits: DatasetError | null, ofTable: unknown): unknown {
  const isSame = whyNotBits?.code === 'column' && ofTable instanceof DatasetError && ofTable.code === 'column';
  return isSame ? whyNotBits : ofTable;
}
