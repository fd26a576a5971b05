import { detectFile, isArrowStream } from '../reading/detect.js';
import { nameOf, type Source } from '../reading/source.js';
import { openArrow } from './arrow/arrow-table.js';
import { openNpyTable } from './arrays/npy-table.js';
import { openNpz } from './arrays/npz-table.js';
import { openCsv } from './csv/csv-table.js';
import { openJsonLines } from './lines/json-lines.js';
import { openLibsvm } from './lines/libsvm-table.js';
import { openParquet } from './parquet/parquet-table.js';
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
 * @param digits see {@link openCsv}
 */
export async function openTableFrom(
  file: RowFile,
  options: TableFileOptions,
  digits: DigitRows | null = null,
): Promise<RawTable> {
  const context = checkTableOptions(file.name, options);
  return { ...(await openAs(file, context, digits)), isStrict: options.strict, wordFor: context.wordFor };
}

/** Enough to recognise any format. */
const HEAD_BYTES = 1 << 12;

async function openAs(file: RowFile, context: TableContext, digits: DigitRows | null): Promise<RawTable> {
  const head = await file.head(HEAD_BYTES);
  const { name, options, wordFor } = context;
  const expected = `a table of a format that is read here: ${TABLE_FORMATS.join(', ')}`;
  const { format, delimiter } = detectFile(head, { name, format: options.format, expected, wordFor });
  switch (format) {
    case 'arrow':
      return openArrow(file, context, isArrowStream(head));
    case 'csv':
      return openCsv(file, context, delimiter, digits);
    case 'jsonl':
      return openJsonLines(file, context);
    case 'libsvm':
      return openLibsvm(file, context);
    case 'npy':
      return openNpyTable(file, context);
    case 'npz':
      return openNpz(file, context);
    case 'parquet':
      return openParquet(file, context);
    case 'idx':
      throw new DatasetError('format', {
        got: 'IDX, images as bytes',
        expected,
        where: name,
        remedy: 'Read it as rows of 0 and 1, with a threshold, or save it as NPY.',
      });
  }
}
