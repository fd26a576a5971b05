import { DatasetError, quote } from '../errors.js';
import { correctColumn } from './closest-names.js';

export interface AskedColumn {
  /** Where it was asked for. */
  readonly where: string;
  readonly expected?: string;
  /** What else may be done about it: whole sentences. */
  readonly more?: string;
}

/**
 * The place of a column among those that there are.
 *
 * @throws DatasetError `column`, in the same words of every command and answer
 */
export function placeOfColumn(
  name: string,
  columns: readonly string[],
  { where, expected = 'a column of the model', more }: AskedColumn,
): number {
  const place = columns.indexOf(name);
  if (place >= 0) return place;
  const remedy = correctColumn(name, columns);
  throw new DatasetError('column', {
    got: `the column ${quote(name)}`,
    expected,
    where,
    remedy: more === undefined ? remedy : `${remedy} ${more}`,
  });
}
