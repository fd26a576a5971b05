import { type FilledCell, missingCells, type RowsToFill, rowsBetween } from '@orchard/analysis';
import { encodeParts, readFor, type RawBatch, type RawCell, type RawTable, type WrittenText } from '@orchard/dataset';
import { knownBits, type TabularModel } from '@orchard/model';
import { rowsToFill } from '../../rows/load-table-rows.js';

/** Some rows of the file: as codes, and as they are written. */
export interface RowsToAnswer extends RowsToFill {
  /** Rows of these. */
  readonly missing: readonly MissingCell[];
  /** @param row of these */
  cellAt(row: number, column: number): RawCell;
}

type MissingCell = Pick<FilledCell, 'row' | 'index'>;

/**
 * The rows of a file, some at a time, as codes beside their cells: two passes over the file go side by side, one of
 * them through cells that are read as training had them.
 *
 * @param most rows at a time, asked anew with each
 * @param text how the text of the file is written, whose cells come as they stand; null where they are what they say
 */
export async function* rowsToComplete(
  model: TabularModel,
  table: RawTable,
  raw: RawTable,
  text: WrittenText | null,
  most: () => number,
): AsyncGenerator<RowsToAnswer, void> {
  // "NA" is a text where the model has it as a label
  const written = (text ?? readFor(model.table, raw)).batches()[Symbol.asyncIterator]();
  let batch: RawBatch = { rows: 0, columns: [] };
  /** Rows of the batch that were had. */
  let used = 0;
  try {
    for await (const part of encodeParts(table, model.table, rowsToFill)) {
      const { rows } = part.matrix;
      const ofPart = { ...part, known: knownBits(part, model) };
      for (let from = 0; from < rows;) {
        while (used === batch.rows) {
          const next = await written.next();
          if (next.done === true) throw new Error('rowsToComplete: fewer rows than in the pass beside it');
          batch = next.value;
          used = 0;
        }
        const { columns } = batch;
        const firstOfBatch = used;
        const to = Math.min(rows, from + most(), from + batch.rows - used);
        const some = rowsBetween(ofPart, from, to, model.variables);
        const cellAt = (row: number, column: number): RawCell => columns[column]!.at(firstOfBatch + row) ?? null;
        yield { ...some, missing: missingCells(model, some), cellAt };
        used += to - from;
        from = to;
      }
    }
  } finally {
    await written.return?.();
  }
}
