import { DatasetError } from '../errors.js';

/** @param where the file. @throws DatasetError `empty` where it has no rows */
export function requireRows(rows: number, where: string): void {
  if (rows > 0) return;
  const remedy = 'Check that the right file was given.';
  throw new DatasetError('empty', { got: 'no rows', expected: 'at least one', where, remedy });
}
