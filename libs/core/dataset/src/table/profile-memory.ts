import { isHole, labelOf } from '../variables/cell-values.js';
import type { RawColumn } from '../table-files/raw-column.js';
import type { RawTable } from '../table-files/raw-table.js';
import { MOST_COUNTED } from './number-profile.js';
import { numbersKept } from './number-sample.js';

/**
 * Distinct cells of a column that are looked at one by one; a column with more is taken to have as many as are counted.
 */
const FEW = 64;
/** A label or number among those that are counted, beside its characters: entries of two maps. */
const ENTRY_BYTES = 200;
/** What is found in a pass is held until the next has ended. */
const PASSES = 2;

interface ColumnMemory {
  readonly few: Set<string>;
  longest: number;
}

/**
 * The same table, which reports the memory that a look through its columns takes, before it is taken: numbers that are
 * kept, and labels by their number and their longest. An upper bound.
 *
 * @param onMemory called with further bytes; may throw
 */
export function accountedTable(raw: RawTable, onMemory: (bytes: number) => void): RawTable {
  const columns: ColumnMemory[] = raw.columns.map(() => ({ few: new Set(), longest: 0 }));
  onMemory(PASSES * 8 * numbersKept(raw.columns.length) * raw.columns.length);
  let rows = 0;
  let told = 0;
  async function* batches(needed?: ReadonlySet<number>): ReturnType<RawTable['batches']> & AsyncGenerator {
    for await (const batch of raw.batches(needed)) {
      rows += batch.rows;
      let bytes = 0;
      columns.forEach((column, index) => {
        look(column, batch.columns[index]!, batch.rows);
        const distinct = column.few.size < FEW ? FEW : Math.min(MOST_COUNTED, rows);
        bytes += distinct * (2 * column.longest + ENTRY_BYTES);
      });
      if (PASSES * bytes > told) {
        onMemory(PASSES * bytes - told);
        told = PASSES * bytes;
      }
      yield batch;
    }
  }
  return {
    name: raw.name,
    format: raw.format,
    columns: raw.columns,
    hasHeader: raw.hasHeader,
    fractions: raw.fractions,
    unreadable: raw.unreadable,
    marks: raw.marks,
    isStrict: raw.isStrict,
    notes: raw.notes,
    wordFor: raw.wordFor,
    batches,
    close: () => raw.close(),
  };
}

function look(column: ColumnMemory, cells: RawColumn, rows: number): void {
  for (let row = 0; row < rows; row++) {
    const cell = cells.at(row);
    if (isHole(cell)) continue;
    if (typeof cell === 'string' && cell.length > column.longest) column.longest = cell.length;
    if (column.few.size < FEW) column.few.add(labelOf(cell));
  }
}
