import type { RawBatch, RawCell, RawColumn } from './raw-table.js';
import { batchRows } from './raw-table.js';

/** A value of a typed file as a cell: NaN is a hole, and a whole number that no number holds is its digits. */
export function cellOf(value: unknown): RawCell {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isNaN(value) ? null : value;
    case 'bigint':
      return wholeNumber(value);
    default:
      if (value === null || value === undefined) return null;
      throw new TypeError(`a cell may not be ${Object.prototype.toString.call(value)}`);
  }
}

function wholeNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** Columns of equal length, in batches. */
export function* cutBatches(columns: readonly RawColumn[], rows: number): Generator<RawBatch, void> {
  const most = batchRows(columns.length);
  for (let from = 0; from < rows; from += most) {
    const to = Math.min(rows, from + most);
    yield { rows: to - from, columns: columns.map((column) => slice(column, from, to)) };
  }
}

function slice(column: RawColumn, from: number, to: number): RawColumn {
  if (column instanceof Float64Array) return column.subarray(from, to);
  return Array.from({ length: to - from }, (_, row) => column[from + row]!);
}
