import { DatasetError, quote } from '../errors.js';
import { correctColumn } from './closest-names.js';

/**
 * The place of a column among those that there are.
 *
 * @param where it was asked for
 * @param more what else may be done about it: whole sentences
 * @throws DatasetError `column`, in the same words of every command and answer
 */
export function placeOfColumn(
  name: string,
  columns: readonly string[],
  { where, expected = 'a column of the model', more }: { where: string; expected?: string; more?: string },
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
