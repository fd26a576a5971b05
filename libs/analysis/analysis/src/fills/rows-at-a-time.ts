import { codeCount } from '@orchard/dataset';
import { isExactOfTable, type TabularModel } from '@orchard/model';
import type { RowsToFill } from './fill-table.js';

/** Rows that are filled in at a time, where each of them needs little. */
const MOST_ROWS = 1024;
/** Numbers and texts that are held of these rows: some megabytes. */
const MOST_VALUES = 2 ** 18;

/**
 * How many rows are filled in at a time: fewer where each is wide, is drawn often, or has the distributions of its
 * values worked out.
 *
 * @param draws completions of each row
 */
export function rowsAtATime(model: TabularModel, draws: number, asksForDistributions: boolean): number {
  const codes = model.table.variables.reduce((sum, variable) => sum + codeCount(variable), 0);
  const values = asksForDistributions && isExactOfTable(model) ? codes : model.variables * draws;
  return Math.max(1, Math.min(MOST_ROWS, Math.floor(MOST_VALUES / values)));
}

/** Rows `from ... to - 1` of some. */
export function rowsBetween(
  { firstRow, matrix, known, values, misfits }: RowsToFill,
  from: number,
  to: number,
  variables: number,
): RowsToFill {
  const own = new Set<number>();
  for (const at of misfits) if (at >= from * variables && at < to * variables) own.add(at - from * variables);
  return {
    firstRow: firstRow + from,
    matrix: matrix.sliceRows(from, to),
    known: known.sliceRows(from, to),
    values: new Map([...values].map(([index, numbers]) => [index, numbers.subarray(from, to)])),
    misfits: own,
  };
}
