import type { Table } from '@orchard/contracts';
import { EXCLUDED, placesWhere, type RawTable } from '@orchard/dataset';
import type { GivenColumns, TabularModel } from '@orchard/model';
import { findDrift, type ColumnDrift } from './drift.js';
import { findCells, usualCells, type Scored, type UsualCells } from './find-cells.js';
import { findForms } from './find-forms.js';
import { mostUnusualFirst, type SuspectCell } from './suspect-cell.js';

export interface CheckOptions {
  /** The share of right cells that may be reported. */
  readonly falseAlarms: number;
  /** Of the rows that set the threshold. */
  readonly seed: number;
  /** A model of earlier rows, which columns may have drifted from. */
  readonly baseline?: TabularModel | null;
  /** What is usual of right cells, where it is known already. @default found by rows of the first model */
  readonly usual?: UsualCells;
  /** Called with the number of rows that were compared since the last call. */
  readonly onRows?: (rows: number) => void;
}

export interface CheckedTable {
  /** The cells that are probably wrong, the most unusual first. */
  readonly cells: readonly SuspectCell[];
  readonly rows: number;
  /** Columns that were looked at. */
  readonly columns: number;
  /** Null without a baseline. */
  readonly drift: readonly ColumnDrift[] | null;
}

/**
 * Finds the cells of a table that are probably wrong: those that do not fit the rest of their row, and those that are
 * not written as their column's others. Some passes over the rows.
 *
 * @param scored models of the table, and which of them has not learned from a row
 */
export async function checkTable(
  raw: RawTable,
  scored: Scored,
  { falseAlarms, seed, baseline = null, usual, onRows = () => undefined }: CheckOptions,
): Promise<CheckedTable> {
  const { table, variables } = scored.models[0]!;
  const { given = null } = scored;
  const right = usual ?? (await usualCells(scored.models[0]!, { share: falseAlarms, seed, given }));
  const { cells: unlikely, rows } = await findCells(raw, scored, right, onRows);
  const ofText = textColumns(raw, table, given);
  const known = new Set(unlikely.map(({ row, column }) => `${row} ${column}`));
  const forms = await findForms(raw, ofText, falseAlarms);
  const cells = mostUnusualFirst([
    ...unlikely,
    // of a cell that does not fit its row either, what is expected there says more
    ...forms.filter(({ row, column }) => !known.has(`${row} ${column}`)),
  ]);
  const drift = baseline === null ? null : await findDrift(raw, baseline, seed);
  const others = [...ofText].filter((column) => !table.variables.some(({ name }) => name === raw.columns[column]));
  return { cells, rows, columns: variables - (given?.size ?? 0) + others.length, drift };
}

/**
 * The columns whose forms are looked at, by number: all but those of numbers, dates and times, what was excluded and
 * what is given.
 */
function textColumns(raw: RawTable, { variables, leftOut }: Table, given: GivenColumns | null): ReadonlySet<number> {
  const ordered = variables.filter(({ kind }) => kind === 'ordered').map(({ name }) => name);
  const excluded = leftOut.filter(({ why }) => why === EXCLUDED).map(({ name }) => name);
  const ofGroups = variables.filter((_, index) => given?.has(index) === true).map(({ name }) => name);
  const skipped = new Set([...ordered, ...excluded, ...ofGroups]);
  return placesWhere(raw.columns, (name) => !skipped.has(name));
}
