import { givenNames, numberedNames } from '../column-names.js';
import { batchRows, placesWhere, type RawBatch, type RawTable } from '../raw-table.js';
import type { RowFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { openNpy, readRows, withFile, type NpyFile } from './npy-file.js';
import { checkColumns } from './wide.js';

/** An array in an NPY file: its first index is the row, and what the others count are columns. */
export async function openNpyTable(file: RowFile, context: TableContext): Promise<RawTable> {
  const array = await openNpy(await file.path(), context.name);
  return arrayTable(file, context, [array], null, 'npy');
}

/** Arrays of equal length, side by side. */
export function arrayTable(
  file: RowFile,
  context: TableContext,
  arrays: readonly NpyFile[],
  names: readonly string[] | null,
  format: 'npy' | 'npz',
): RawTable {
  const columns = arrays.reduce((sum, array) => sum + array.columns, 0);
  checkColumns(columns, context.name);
  const given = givenNames(context, columns);
  return {
    name: context.name,
    format,
    columns: given ?? names ?? numberedNames(columns),
    hasHeader: names !== null,
    fractions: placesWhere(
      arrays.flatMap((array) => Array<NpyFile>(array.columns).fill(array)),
      ({ type }) => type.kind.startsWith('f'),
    ),
    notes: (given ?? names) ? [] : ['The array has no names: its columns are called by number.'],
    batches: () => readArrays(arrays, columns),
    close: () => file.close(),
  };
}

async function* readArrays(arrays: readonly NpyFile[], columns: number): AsyncGenerator<RawBatch, void> {
  const { rows } = arrays[0]!;
  const most = batchRows(columns);
  for (let from = 0; from < rows; from += most) {
    const to = Math.min(rows, from + most);
    const cells = [];
    for (const array of arrays) {
      for (const column of await withFile(array.path, (file) => readRows(file, array, from, to))) cells.push(column);
    }
    yield { rows: to - from, columns: cells };
  }
}
