import { MAXIMUM_FILE_COLUMNS } from '../../reading/options.js';
import { givenNames, numberedNames } from '../column-names.js';
import { batchRows, type RawBatch, type RawTable } from '../raw-table.js';
import type { TextFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { SparseLines, type SparseSink } from './sparse-lines.js';
import { refuseNoRow } from './text-lines.js';
import { textPieces } from './text-pieces.js';

/**
 * Libsvm and svmlight as a table. How many columns there are is known by the highest index, which takes a pass of its
 * own. Labels, `qid:` and remarks are not read, and a note says so.
 */
export async function openLibsvm(file: TextFile, context: TableContext): Promise<RawTable> {
  let width = 0;
  let rows = 0;
  let isLabelled = false;
  const lines = linesOf(context, {
    takeValue(column) {
      width = Math.max(width, column + 1);
    },
    endRow(hasLabel) {
      rows++;
      isLabelled ||= hasLabel;
    },
  });
  for await (const piece of textPieces(file.bytes(), context, () => lines.line)) lines.push(piece);
  if (rows === 0 || width === 0) refuseNoRow(context);
  const columns = givenNames(context, width);
  return {
    name: context.name,
    format: 'libsvm',
    columns: columns ?? numberedNames(width),
    hasHeader: false,
    notes: [
      `Indexes count from ${context.options.zeroBased ? 0 : 1}, and what a row leaves out is 0.`,
      ...(isLabelled ? ['The labels at the beginning of the rows are not read.'] : []),
      ...(columns ? [] : ['The file has no names: its columns are called by number.']),
    ],
    batches: () => readRows(file, context, width),
    close: () => file.close(),
  };
}

async function* readRows(file: TextFile, context: TableContext, width: number): AsyncGenerator<RawBatch, void> {
  const most = batchRows(width);
  const newColumns = (): Float64Array[] => Array.from({ length: width }, () => new Float64Array(most));
  const full: RawBatch[] = [];
  let columns = newColumns();
  let rows = 0;
  const lines = linesOf(context, {
    takeValue(column, value) {
      columns[column]![rows] = value;
    },
    endRow() {
      rows++;
      if (rows < most) return;
      full.push({ rows, columns });
      columns = newColumns();
      rows = 0;
    },
  });
  for await (const piece of textPieces(file.bytes(), context, () => lines.line)) {
    lines.push(piece);
    yield* full.splice(0);
  }
  if (rows > 0) yield { rows, columns: columns.map((column) => column.subarray(0, rows)) };
}

function linesOf(context: TableContext, sink: SparseSink): SparseLines {
  const isMissing = (text: string): boolean => context.missing.has(text);
  const base = context.options.zeroBased ? 0 : 1;
  return new SparseLines({ ...context, base, mostColumns: MAXIMUM_FILE_COLUMNS, isMissing }, sink);
}
