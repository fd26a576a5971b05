import { DatasetError } from '../errors.js';
import { detectFile, type DetectedFile } from '../reading/detect.js';
import type { TextFile } from '../reading/row-file.js';
import type { DigitRows } from '../rows/digit-rows.js';
import { openCsv } from './csv/csv-table.js';
import { obeySeparatorLine } from './csv/separator-line.js';
import { openJsonLines } from './lines/json-lines.js';
import { openLibsvm } from './lines/libsvm-table.js';
import type { RawTable } from './raw-table.js';
import { checkTableOptions, type TableContext, type TableFileOptions } from './table-options.js';

type TextFormat = 'csv' | 'jsonl' | 'libsvm';

/** Enough to recognise any format. */
export const HEAD_BYTES = 1 << 12;

/**
 * A table that is a text, from a file that is read from front to back: nothing of it needs a disk, so that browsers
 * read tables by it, as every other program does.
 *
 * @param elsewhere what to do with a file of another format, in a sentence
 * @throws DatasetError on a file that is not a table, and on one that is not a text
 */
export async function openTextTable(file: TextFile, options: TableFileOptions, elsewhere: string): Promise<RawTable> {
  const head = await file.head(HEAD_BYTES);
  const context = obeySeparatorLine(checkTableOptions(file.name, options), head);
  const expected = 'a text: CSV, TSV, JSON lines or libsvm, plain or gzipped';
  const { format, delimiter } = detectTable(head, context, expected);
  if (format !== 'csv' && format !== 'jsonl' && format !== 'libsvm')
    throw new DatasetError('format', {
      got: `content that is ${format}`,
      expected,
      where: file.name,
      remedy: elsewhere,
    });
  const table = await openText(file, context, { format, delimiter }, null);
  return { ...table, isStrict: options.strict, wordFor: context.wordFor };
}

/** What a table's file is by its first bytes. @throws DatasetError for one that is none */
export function detectTable(head: Uint8Array, context: TableContext, expected: string): DetectedFile {
  const { name, options, wordFor, syntax } = context;
  return detectFile(head, { name, format: options.format, expected, wordFor, syntax });
}

/** @param digits its first rows, where the reader of bits has cut them already */
export function openText(
  file: TextFile,
  context: TableContext,
  { format, delimiter }: { readonly format: TextFormat; readonly delimiter: string | null },
  digits: DigitRows | null,
): Promise<RawTable> {
  if (format === 'csv') return openCsv(file, context, delimiter, digits);
  return format === 'jsonl' ? openJsonLines(file, context) : openLibsvm(file, context);
}
