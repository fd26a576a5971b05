import { readFile } from 'node:fs/promises';
import { DatasetError } from '../../errors.js';
import { parseNpyHead } from '../../bit-files/npy.js';
import { givenNames, numberedNames } from '../column-names.js';
import { batchRows, type RawBatch, type RawTable } from '../raw-table.js';
import type { RowFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { openNpy, readHead, withFile } from './npy-file.js';
import { storedNumbers, ranges, sortByRow, type Numbers, type SparseRows } from './sparse-rows.js';
import { checkColumns } from './wide.js';

/** More than a matrix has: a longer shape is refused. */
const MOST_SIZES = 8;
const MOST_ROWS = 2 ** 28;

/** Whether the arrays of an archive are a matrix that SciPy saved. */
export function isSparse(paths: ReadonlyMap<string, string>): boolean {
  return ['format', 'shape', 'data'].every((key) => paths.has(key));
}

/**
 * A matrix of SciPy (csr, csc or coo), what is not in it being 0. It is read row by row from the disk: csc and coo,
 * which do not lie so, are sorted beside the file first.
 */
export async function openSparse(
  file: RowFile,
  context: TableContext,
  paths: ReadonlyMap<string, string>,
): Promise<RawTable> {
  const { name } = context;
  const kind = await readWord(paths.get('format')!, name);
  const numbers = (key: string): Promise<Numbers> => openNumbers(paths, key, name);
  const sizes = await numbers('shape');
  const shape = await sizes.read(0, Math.min(sizes.length, MOST_SIZES));
  const [rows = 0, width = 0] = shape;
  if (shape.length !== 2 || rows * width === 0)
    throw new DatasetError('empty', {
      got: `the shape (${[...shape].join(', ')})`,
      expected: '(rows, columns)',
      where: name,
      remedy: 'Check that the right matrix was saved.',
    });
  checkColumns(width, name);
  const matrix = await openMatrix(kind, rows, width, numbers, file);
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
    batches: () => spread(matrix, rows, width, name),
    close: () => file.close(),
  };
}

async function openMatrix(
  kind: string,
  rows: number,
  width: number,
  numbers: (key: string) => Promise<Numbers>,
  file: RowFile,
): Promise<SparseRows> {
  const where = file.name;
  if (!['csr', 'csc', 'coo'].includes(kind))
    throw new DatasetError('format', {
      got: `a sparse matrix of the format ${JSON.stringify(kind)}`,
      expected: 'csr, csc or coo',
      where,
      remedy: 'Convert it first: scipy.sparse.save_npz("matrix.npz", matrix.tocsr()).',
    });
  const values = await numbers('data');
  const inner = await numbers(kind === 'coo' ? 'col' : 'indices');
  if (inner.length !== values.length) refuse(where, `${inner.length} indices`, `${values.length}, as there are values`);
  if (kind === 'coo') {
    const row = await numbers('row');
    if (row.length !== values.length) refuse(where, `${row.length} rows`, `${values.length}, as there are values`);
    return sortByRow(file, checkRows(rows, where), within(row, rows, 'a row', where), inner, values);
  }
  const starts = await numbers('indptr');
  const lines = kind === 'csr' ? rows : width;
  if (starts.length !== lines + 1)
    refuse(where, `an indptr of ${starts.length} numbers`, `${lines + 1} numbers from 0 up to ${values.length}`);
  if (kind === 'csc') {
    const ofColumns = await starts.read(0, starts.length);
    checkStarts(ofColumns, values.length, true, true, where);
    return sortByRow(file, checkRows(rows, where), within(inner, rows, 'an index', where), linesOf(ofColumns), values);
  }
  return {
    starts,
    entries: values.length,
    read: async (from, to) => [await inner.read(from, to), await values.read(from, to)],
  };
}

/** Refuses rows that a few bytes promise: of a matrix by columns the file does not grow with them. */
function checkRows(rows: number, where: string): number {
  if (rows <= MOST_ROWS) return rows;
  throw new DatasetError('limit', {
    got: `${rows} rows`,
    expected: `at most ${MOST_ROWS}`,
    where,
    remedy: 'Check that rows and columns are not swapped; otherwise save it by rows, as matrix.tocsr().',
  });
}

/** The same numbers, refused where they are not places among so many. */
function within(numbers: Numbers, most: number, what: string, where: string): Numbers {
  return {
    length: numbers.length,
    read: async (from, to) => {
      const read = await numbers.read(from, to);
      checkPlaces(read, most, what, where);
      return read;
    },
  };
}

/** The line that each entry is in, by the entries at which lines start. */
function linesOf(starts: Float64Array): Numbers {
  return {
    length: starts.at(-1)!,
    read: (from, to) => {
      const lines = new Float64Array(to - from);
      for (let line = 0; line + 1 < starts.length; line++) {
        const [first, end] = [Math.max(from, starts[line]!), Math.min(to, starts[line + 1]!)];
        if (first < end) lines.fill(line, first - from, end - from);
      }
      return Promise.resolve(lines);
    },
  };
}

async function* spread(matrix: SparseRows, rows: number, width: number, where: string): AsyncGenerator<RawBatch, void> {
  const most = batchRows(width);
  for (let first = 0; first < rows; first += most) {
    const count = Math.min(rows - first, most);
    const starts = await matrix.starts.read(first, first + count + 1);
    checkStarts(starts, matrix.entries, first === 0, first + count === rows, where);
    const cells = Array.from({ length: width }, () => new Float64Array(count));
    let row = 0;
    for (const [from, to] of ranges(starts[0]!, starts[count]!)) {
      const [columns, values] = await matrix.read(from, to);
      checkPlaces(columns, width, 'an index', where);
      for (let i = 0; i < columns.length; i++) {
        while (from + i >= starts[row + 1]!) row++;
        // what stands twice is added, as SciPy does
        cells[columns[i]!]![row]! += values[i]!;
      }
    }
    yield { rows: count, columns: cells };
  }
}

function checkStarts(starts: Float64Array, entries: number, isFirst: boolean, isLast: boolean, where: string): void {
  const ends = (!isFirst || starts[0] === 0) && (!isLast || starts.at(-1) === entries);
  if (ends && starts.every((start, i) => Number.isInteger(start) && start >= (starts[i - 1] ?? 0) && start <= entries))
    return;
  refuse(where, 'an indptr that does not fit', `numbers that grow from 0 up to ${entries}`);
}

function checkPlaces(places: Float64Array, most: number, what: string, where: string): void {
  const isPlace = (place: number): boolean => place >= 0 && place < most && Number.isInteger(place);
  if (!places.every(isPlace)) refuse(where, `${what} beyond the shape`, `0 to ${most - 1}`);
}

function refuse(where: string, got: string, expected: string): never {
  throw new DatasetError('format', {
    got,
    expected,
    where,
    remedy: 'Write the matrix anew with scipy.sparse.save_npz.',
  });
}

async function openNumbers(paths: ReadonlyMap<string, string>, key: string, name: string): Promise<Numbers> {
  const path = paths.get(key);
  if (path === undefined)
    throw new DatasetError('format', {
      got: `a sparse matrix without ${JSON.stringify(key)}`,
      expected: 'what scipy.sparse.save_npz writes',
      where: name,
      remedy: 'Write the matrix anew with scipy.sparse.save_npz.',
    });
  const { shape } = await withFile(path, (file) => readHead(file, name));
  // a matrix of zeros alone has arrays of no value
  const isEmpty = shape.length === 1 && shape[0] === 0;
  return storedNumbers(isEmpty ? null : await openNpy(path, `${name}, array ${JSON.stringify(key)}`));
}

/** A word that NumPy saved as bytes or as text. */
async function readWord(path: string, name: string): Promise<string> {
  const bytes = await readFile(path);
  const head = parseNpyHead(bytes, name);
  return typeof head === 'number' ? '' : bytes.subarray(head.headBytes).toString('latin1').replaceAll('\0', '');
}
