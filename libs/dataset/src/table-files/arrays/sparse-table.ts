import { readFile } from 'node:fs/promises';
import { DatasetError } from '../../errors.js';
import { parseNpyHead } from '../../npy.js';
import { givenNames, numberedNames } from '../column-names.js';
import { batchRows, type RawBatch, type RawTable } from '../raw-table.js';
import type { TableFile } from '../table-file.js';
import type { TableContext } from '../table-options.js';
import { openNpy, readRows, withFile } from './npy-file.js';
import { checkColumns } from './wide.js';

/** A sparse matrix by rows: the values of row i are `values[starts[i] ... starts[i + 1] - 1]`, in those columns. */
interface SparseRows {
  readonly starts: Float64Array;
  readonly columns: Float64Array;
  readonly values: Float64Array;
}

/** Whether the arrays of an archive are a matrix that SciPy saved. */
export function isSparse(paths: ReadonlyMap<string, string>): boolean {
  return ['format', 'shape', 'data'].every((key) => paths.has(key));
}

/** A matrix of SciPy (csr, csc or coo), what is not in it being 0. It is held in memory, 16 bytes a value. */
export async function openSparse(
  file: TableFile,
  context: TableContext,
  paths: ReadonlyMap<string, string>,
): Promise<RawTable> {
  const { name } = context;
  const kind = await readWord(paths.get('format')!, name);
  const numbers = (key: string): Promise<Float64Array> => readNumbers(paths, key, name);
  const shape = await numbers('shape');
  const [rows = 0, width = 0] = shape;
  if (shape.length !== 2 || rows * width === 0)
    throw new DatasetError('empty', {
      got: `the shape (${[...shape].join(', ')})`,
      expected: '(rows, columns)',
      where: name,
      remedy: 'Check that the right matrix was saved.',
    });
  checkColumns(width, name);
  const matrix = await readMatrix(kind, rows, width, numbers, name);
  const columns = givenNames(context, width);
  return {
    name,
    format: 'npz',
    columns: columns ?? numberedNames(width),
    hasHeader: false,
    notes: [
      `The file holds a sparse matrix (${kind}): what is not in it is 0.`,
      ...(columns ? [] : ['It has no names: its columns are called by number.']),
    ],
    batches: () => spread(matrix, rows, width),
    close: () => file.close(),
  };
}

async function readMatrix(
  kind: string,
  rows: number,
  width: number,
  numbers: (key: string) => Promise<Float64Array>,
  where: string,
): Promise<SparseRows> {
  const damaged = (got: string, expected: string): never => {
    throw new DatasetError('format', {
      got,
      expected,
      where,
      remedy: 'Write the matrix anew with scipy.sparse.save_npz.',
    });
  };
  if (!['csr', 'csc', 'coo'].includes(kind))
    throw new DatasetError('format', {
      got: `a sparse matrix of the format ${JSON.stringify(kind)}`,
      expected: 'csr, csc or coo',
      where,
      remedy: 'Convert it first: scipy.sparse.save_npz("matrix.npz", matrix.tocsr()).',
    });
  const values = await numbers('data');
  const [outer, lines] =
    kind === 'coo' ? [await numbers('row'), rows] : [await numbers('indptr'), kind === 'csr' ? rows : width];
  const inner = await numbers(kind === 'coo' ? 'col' : 'indices');
  if (inner.length !== values.length) damaged(`${inner.length} indices`, `${values.length}, as there are values`);
  const most = kind === 'csc' ? rows : width;
  if (inner.some((index) => !(index >= 0 && index < most))) damaged('an index beyond the shape', `0 to ${most - 1}`);
  if (kind === 'coo') {
    if (outer.length !== values.length) damaged(`${outer.length} rows`, `${values.length}, as there are values`);
    if (outer.some((row) => !(row >= 0 && row < rows))) damaged('a row beyond the shape', `0 to ${rows - 1}`);
    return byRows(rows, outer, inner, values);
  }
  const grows = outer.length === lines + 1 && outer[0] === 0 && outer[lines] === values.length;
  if (!grows || outer.some((start, i) => i > 0 && start < outer[i - 1]!))
    damaged('an indptr that does not fit', `${lines + 1} numbers from 0 up to ${values.length}`);
  if (kind === 'csr') return { starts: outer, columns: inner, values };
  const columns = new Float64Array(values.length);
  for (let column = 0; column < width; column++) columns.fill(column, outer[column], outer[column + 1]);
  return byRows(rows, inner, columns, values);
}

/** Sorts by row, by counting. */
function byRows(rows: number, row: Float64Array, column: Float64Array, value: Float64Array): SparseRows {
  const starts = new Float64Array(rows + 1);
  for (const each of row) starts[each + 1]!++;
  for (let i = 0; i < rows; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const columns = new Float64Array(row.length);
  const values = new Float64Array(row.length);
  for (let i = 0; i < row.length; i++) {
    const at = next[row[i]!]!++;
    columns[at] = column[i]!;
    values[at] = value[i]!;
  }
  return { starts, columns, values };
}

async function* spread(matrix: SparseRows, rows: number, width: number): AsyncGenerator<RawBatch, void> {
  const { starts, columns, values } = matrix;
  const most = batchRows(width);
  for (let from = 0; from < rows; from += most) {
    const to = Math.min(rows, from + most);
    const cells = Array.from({ length: width }, () => new Float64Array(to - from));
    for (let row = from; row < to; row++)
      // what stands twice is added, as SciPy does
      for (let i = starts[row]!; i < starts[row + 1]!; i++) cells[columns[i]!]![row - from]! += values[i]!;
    yield { rows: to - from, columns: cells };
  }
}

async function readNumbers(paths: ReadonlyMap<string, string>, key: string, name: string): Promise<Float64Array> {
  const path = paths.get(key);
  if (path === undefined)
    throw new DatasetError('format', {
      got: `a sparse matrix without ${JSON.stringify(key)}`,
      expected: 'what scipy.sparse.save_npz writes',
      where: name,
      remedy: 'Write the matrix anew with scipy.sparse.save_npz.',
    });
  const head = parseNpyHead(await readFile(path), name);
  // a matrix of zeros alone has arrays of no value
  if (typeof head !== 'number' && head.shape.length === 1 && head.shape[0] === 0) return new Float64Array(0);
  const array = await openNpy(path, `${name}, array ${JSON.stringify(key)}`);
  const [cells] = await withFile(path, (file) => readRows(file, array, 0, array.rows));
  return Float64Array.from(cells!, Number);
}

/** A word that NumPy saved as bytes or as text. */
async function readWord(path: string, name: string): Promise<string> {
  const bytes = await readFile(path);
  const head = parseNpyHead(bytes, name);
  return typeof head === 'number' ? '' : bytes.subarray(head.headBytes).toString('latin1').replaceAll('\0', '');
}
