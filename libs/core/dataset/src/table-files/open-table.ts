import { refusingChange, tableRefusingChange } from '../reading/changed-file.js';
import { isArrowStream } from '../reading/detect.js';
import { nameOf, type Source } from '../reading/source.js';
import { openArrow } from './arrow/arrow-table.js';
import { obeySeparatorLine } from './csv/separator-line.js';
import { openNpyTable } from './arrays/npy-table.js';
import { openNpz } from './arrays/npz-table.js';
import { detectTable, HEAD_BYTES, openText } from './open-text-table.js';
import { isOfParts, noteOfParts, type FileOfParts } from '../parts/file-of-parts.js';
import { formatOfParts, isTextFormat, joinTexts } from '../parts/join-texts.js';
import { tableOfParts } from '../parts/parts-table.js';
import { openParquet } from './parquet/parquet-table.js';
import { withMissingCells } from './missing-cells.js';
import type { RawTable } from './raw-table.js';
import { openRowFile, type RowFile } from '../reading/row-file.js';
import type { DigitRows } from '../rows/digit-rows.js';
import { DatasetError } from '../errors.js';
import { checkTableOptions, TABLE_FORMATS, type TableContext, type TableFileOptions } from './table-options.js';

/**
 * Opens a table: finds its format, its columns and where its rows begin, and reads rows on demand.
 * @throws DatasetError on a file that is not a table of a format that is read here.
 */
export async function openTable(source: Source, options: TableFileOptions = {}): Promise<RawTable> {
  checkTableOptions(nameOf(source), options);
  const file = await openRowFile(source, options.maxUnpackedBytes);
  try {
    return await openTableFrom(file, options);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The same of a file that is open already, and stays so where it is refused.
 * @param digits see `openText`
 */
export async function openTableFrom(
  file: RowFile,
  options: TableFileOptions,
  digits: DigitRows | null = null,
): Promise<RawTable> {
  const context = checkTableOptions(file.name, options);
  if (isOfParts(file)) return withSaidMarks(await openParts(file, context), options);
  const raw = await refusingChange(file, () => openAs(file, context, digits));
  const table = withSaidMarks(tableRefusingChange(file, raw), options);
  return { ...table, isStrict: options.strict, wordFor: context.wordFor };
}

/** An empty cell is a missing value whatever is said. */
function withSaidMarks(raw: RawTable, { missing }: TableFileOptions): RawTable {
  const saidMarks = missing?.filter((mark) => mark !== '');
  return saidMarks === undefined || saidMarks.length === 0 ? raw : { ...raw, saidMarks };
}

/** The rows of several files, one file after another. */
async function openParts(file: FileOfParts, { options, wordFor, syntax }: TableContext): Promise<RawTable> {
  const format = await formatOfParts(file, { format: options.format, expected: EXPECTED, wordFor, syntax });
  if (!isTextFormat(format)) {
    const table = await tableOfParts(file, (part) => openTableFrom(part, options));
    return { ...table, notes: [noteOfParts(file), ...table.notes] };
  }
  const { file: whole, placed, placedTable } = await joinTexts(file, format, options);
  try {
    // a folder has no extension that says what its files are
    return placedTable(await openTableFrom(whole, options));
  } catch (error) {
    throw await placed(error);
  }
}

const EXPECTED = `a table of a format that is read here: ${TABLE_FORMATS.join(', ')}`;

async function openAs(file: RowFile, asked: TableContext, digits: DigitRows | null): Promise<RawTable> {
  const head = await file.head(HEAD_BYTES);
  const context = obeySeparatorLine(asked, head);
  const { format, delimiter } = detectTable(head, context, EXPECTED);
  switch (format) {
    case 'arrow':
      return withMissingCells(await openArrow(file, context, isArrowStream(head)), context);
    case 'npy':
      return openNpyTable(file, context);
    case 'npz':
      return openNpz(file, context);
    case 'parquet':
      return withMissingCells(await openParquet(file, context), context);
    case 'idx':
      throw new DatasetError('format', {
        got: 'IDX, images as bytes',
        expected: EXPECTED,
        where: context.name,
        remedy: 'Read it as rows of 0 and 1, with a threshold, or save it as NPY.',
      });
    case 'jsonl':
      return withMissingCells(await openText(file, context, { format, delimiter }, digits), context);
    default:
      return openText(file, context, { format, delimiter }, digits);
  }
}
