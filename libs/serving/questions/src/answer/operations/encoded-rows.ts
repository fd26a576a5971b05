import { DatasetError, type EncodedRows } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { knownRows, type CodesAsked, type KnownRows } from '../../known-rows.js';
import { rowsAsTrained, type RowsDocument } from '../rows.js';

/**
 * The rows of a question as codes of the model's columns.
 *
 * @throws DatasetError for rows of other columns than the model's
 */
export async function codedRows(model: TabularModel, rows: RowsDocument, asked: CodesAsked): Promise<KnownRows> {
  return knownRows(model, await rowsAsTrained(rows, model), rows.count, asked);
}

/**
 * The same of rows without unknown values: one that is missing is a value of a table, where training had some.
 *
 * @throws DatasetError `missing-value` for a bit that is not known
 */
export async function wholeRows(model: TabularModel, document: RowsDocument, withNumbers = false): Promise<KnownRows> {
  const rows = await codedRows(model, document, { missing: 'value', withNumbers });
  const [row] = rows.incomplete;
  if (model.ofBits === undefined || row === undefined) return rows;
  const column = model.table.variables.findIndex((_, index) => rows.known.get(row, model.offsets[index]!) === 0);
  throw new DatasetError('missing-value', {
    got: 'a missing value',
    expected: '0 or 1',
    where: `X, row ${String(row + 1)}, column ${String(column + 1)}`,
    remedy: 'Fill in missing values first: complete does.',
  });
}

/** What training never saw, by column. */
export function unseenOf({ unseen }: EncodedRows, { table }: TabularModel): Record<string, number> {
  const counted = table.variables.map(({ name }, index) => [name, unseen[index]!] as const);
  return Object.fromEntries(counted.filter(([, times]) => times > 0));
}
