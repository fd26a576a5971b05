import { NumberCells, RepeatedCells, type RawColumn } from '../table-files/raw-column.js';
import { batchRows, type RawBatch, type RawTable } from '../table-files/raw-table.js';

/** The same table in which each row stands as often as is said, one after another. */
export function repeatedTable(raw: RawTable, repeats: Uint32Array): RawTable {
  const { withMarks } = raw;
  return {
    ...raw,
    ...(withMarks !== undefined && { withMarks: (columns) => repeatedTable(withMarks(columns), repeats) }),
    batches: (needed) => repeatedBatches(raw, repeats, needed),
  };
}

/** What is said of each row, said of each of its repeats. */
export function repeatedMarks(marks: Uint8Array, repeats: Uint32Array): Uint8Array {
  const repeated = new Uint8Array(repeats.reduce((sum, repeat) => sum + repeat, 0));
  let at = 0;
  repeats.forEach((repeat, row) => {
    repeated.fill(marks[row]!, at, at + repeat);
    at += repeat;
  });
  return repeated;
}

async function* repeatedBatches(
  raw: RawTable,
  repeats: Uint32Array,
  needed?: ReadonlySet<number>,
): AsyncGenerator<RawBatch, void> {
  const size = batchRows(raw.columns.length);
  const rows = new Uint32Array(size);
  let first = 0;
  for await (const batch of raw.batches(needed)) {
    let filled = 0;
    for (let row = 0; row < batch.rows; row++) {
      for (let left = repeats[first + row]!; left > 0; left--) {
        rows[filled++] = row;
        if (filled < size) continue;
        yield rowsOf(batch, rows);
        filled = 0;
      }
    }
    if (filled > 0) yield rowsOf(batch, rows.subarray(0, filled));
    first += batch.rows;
  }
}

function rowsOf({ columns }: RawBatch, rows: Uint32Array): RawBatch {
  return { rows: rows.length, columns: columns.map((column) => cellsOf(column, rows)) };
}

/** The cells of some rows. A column that was not asked for stays empty. */
function cellsOf(column: RawColumn, rows: Uint32Array): RawColumn {
  if (column.length === 0) return column;
  if (column instanceof RepeatedCells)
    return new RepeatedCells(
      column.words,
      Uint16Array.from(rows, (row) => column.places[row]!),
    );
  if (column instanceof NumberCells) {
    return new NumberCells(
      Float64Array.from(rows, (row) => column.numbers[row]!),
      Uint8Array.from(rows, (row) => column.decimals[row]!),
    );
  }
  if (column instanceof Float64Array) return Float64Array.from(rows, (row) => column[row]!);
  return Array.from(rows, (row) => column.at(row) ?? null);
}
