import { DatasetError } from '../../errors.js';
import { MAXIMUM_FILE_COLUMNS } from '../../reading/options.js';

/** Refuses what a few bytes can promise: columns that no table has. */
export function checkColumns(columns: number, where: string): void {
  if (columns <= MAXIMUM_FILE_COLUMNS) return;
  throw new DatasetError('limit', {
    got: `${columns} columns`,
    expected: `at most ${MAXIMUM_FILE_COLUMNS}`,
    where,
    remedy: 'Check that rows and columns are not swapped; otherwise save fewer columns.',
  });
}
