import { plainNumber } from '../variables/plain-number.js';
import type { RawColumn } from './raw-column.js';
import type { RawCell, RawTable } from './raw-table.js';
import type { TableContext } from './table-options.js';

/** A typed file says which cells are missing; a text of no length is one too, as it is in a CSV. */
const USUAL: ReadonlySet<string> = new Set(['']);

/** A typed file whose cells that are marks of a missing value, where some were given, or empty texts are missing. */
export function withMissingCells(table: RawTable, { options }: TableContext): RawTable {
  const marks = options.missing === undefined ? USUAL : new Set(options.missing);
  return {
    ...withoutMarks(table, marks),
    // a model of an earlier release may have empty texts as a label
    ...(marks === USUAL ? { withEmptyTexts: table } : {}),
  };
}

/** The same rows, cells that say one of the marks missing. @param onMark called for each such cell, at each pass */
export function withoutMarks(
  table: RawTable,
  marks: ReadonlySet<string>,
  onMark: (cell: string | number) => void = () => undefined,
): RawTable {
  const numbers = new Set([...marks].map(plainNumber).filter((number) => !Number.isNaN(number)));
  const isMark = (cell: RawCell): boolean => {
    if (typeof cell !== 'string' && typeof cell !== 'number') return false;
    const is = typeof cell === 'string' ? marks.has(cell) : numbers.has(cell);
    if (is) onMark(cell);
    return is;
  };
  const read = (column: RawColumn, rows: number): RawColumn => {
    if (column instanceof Float64Array)
      return numbers.size === 0 ? column : column.map((number) => (isMark(number) ? NaN : number));
    const cells = Array.from({ length: Math.min(rows, column.length) }, (_, row): RawCell => column.at(row) ?? null);
    return cells.some(isMark) ? cells.map((cell) => (isMark(cell) ? null : cell)) : column;
  };
  return {
    ...table,
    async *batches(needed) {
      for await (const { rows, columns } of table.batches(needed))
        yield { rows, columns: columns.map((column) => read(column, rows)) };
    },
  };
}
