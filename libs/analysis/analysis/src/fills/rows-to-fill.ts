import { codeCount, type BitMatrix, type KnownValues } from '@orchard/dataset';
import { isExactOfTable, type TabularModel } from '@orchard/model';

/** Rows as codes, what of them is known, and the values of columns that are often equal. */
export interface RowsToFill {
  /** The number of the first row, where they are a part of more: draws depend on it. */
  readonly firstRow: number;
  readonly matrix: BitMatrix;
  readonly known: BitMatrix;
  readonly values: KnownValues;
  /** Cells that are there and of which nothing is known, `row * V + variable` of these rows: they are not filled in. */
  readonly misfits: ReadonlySet<number>;
  /** The number of a cell, which rules look at; NaN where it is missing or not a number. @param row of these */
  numberAt(row: number, variable: number): number;
}

/** Cells of which nothing is known, those excepted that are there and do not fit their column; rows of these. */
export function missingCells(
  model: TabularModel,
  { known, misfits }: Pick<RowsToFill, 'known' | 'misfits'>,
): { readonly row: number; readonly index: number }[] {
  const cells: { row: number; index: number }[] = [];
  for (let row = 0; row < known.rows; row++)
    for (let index = 0; index < model.variables; index++)
      if (known.get(row, model.offsets[index]!) === 0 && !misfits.has(row * model.variables + index))
        cells.push({ row, index });
  return cells;
}

/** Rows that are filled in at a time, where each of them needs little. */
const MOST_ROWS = 1024;
/** The same where rows are filled in by particles: fewer cost each row more. */
const MOST_BY_PARTICLES = 64;
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
  const isExact = isExactOfTable(model);
  const values = asksForDistributions && isExact ? codes : model.variables * draws;
  return Math.max(1, Math.min(isExact ? MOST_ROWS : MOST_BY_PARTICLES, Math.floor(MOST_VALUES / values)));
}

/** Rows `from ... to - 1` of some. */
export function rowsBetween(rows: RowsToFill, from: number, to: number, variables: number): RowsToFill {
  const { firstRow, matrix, known, values, misfits } = rows;
  const own = new Set<number>();
  for (const at of misfits) if (at >= from * variables && at < to * variables) own.add(at - from * variables);
  return {
    firstRow: firstRow + from,
    matrix: matrix.sliceRows(from, to),
    known: known.sliceRows(from, to),
    values: new Map([...values].map(([index, numbers]) => [index, numbers.subarray(from, to)])),
    misfits: own,
    numberAt: (row, variable) => rows.numberAt(from + row, variable),
  };
}
