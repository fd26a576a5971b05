import { open, type FileHandle } from 'node:fs/promises';
import { DatasetError } from '../../errors.js';
import { npyArray, numbersOf, parseNpyHead, type NpyArray, type NpyHead, type NpyType } from '../../bit-files/npy.js';
import type { RawCell } from '../raw-table.js';
import { cellOf } from '../typed-cells.js';

/** An array of numbers or truth values in an NPY file on disk, as rows of columns. */
export interface NpyFile extends Omit<NpyArray, 'descr'> {
  readonly path: string;
  /** In messages. */
  readonly name: string;
}

/**
 * Numbers lie in a Float64Array, NaN being a missing value; truth values and whole numbers of eight bytes are cells.
 */
export type NumberColumn = Float64Array | RawCell[];

/** @throws DatasetError where it is not a whole NPY file of numbers. */
export async function openNpy(path: string, name: string): Promise<NpyFile> {
  return withFile(path, async (file) => {
    const array = npyArray(await readHead(file, name), name);
    const { shape, rows, columns, type, headBytes } = array;
    const { size } = await file.stat();
    const expected = rows * columns * type.bytes;
    if (size - headBytes !== expected)
      throw new DatasetError('truncated', {
        got: `${size - headBytes} bytes of values`,
        expected: `${expected}, as the shape (${shape.join(', ')}) says`,
        where: name,
        remedy: 'Copy the file again, or write it anew.',
      });
    return { ...array, path, name };
  });
}

/** The columns of rows `from ... to - 1`. Numbers with decimals lie in Float64Arrays, NaN being a missing value. */
export function readRows(file: FileHandle, array: NpyFile, from: number, to: number): Promise<NumberColumn[]> {
  return array.fortran && array.shape.length > 1
    ? readColumns(file, array, from, to)
    : readLines(file, array, from, to);
}

export async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** What the file's head says. */
export async function readHead(file: FileHandle, name: string): Promise<NpyHead> {
  for (let needed = 128; ;) {
    const bytes = new Uint8Array(needed);
    const { bytesRead } = await file.read(bytes, 0, needed, 0);
    const head = parseNpyHead(bytes.subarray(0, bytesRead), name);
    if (typeof head !== 'number') return head;
    if (bytesRead < needed)
      throw new DatasetError('truncated', {
        got: `${bytesRead} bytes`,
        expected: 'a whole header',
        where: name,
        remedy: 'The file is cut short: write it anew.',
      });
    needed = head;
  }
}

/** Rows one after another. */
async function readLines(file: FileHandle, array: NpyFile, from: number, to: number): Promise<NumberColumn[]> {
  const { columns, type } = array;
  const view = await readView(file, array, from * columns, (to - from) * columns);
  return Array.from({ length: columns }, (_, column) =>
    takeCells(view, type, column * type.bytes, columns * type.bytes, to - from),
  );
}

/** Columns one after another: the first index runs fastest, so columns are in the order of Fortran too. */
async function readColumns(file: FileHandle, array: NpyFile, from: number, to: number): Promise<NumberColumn[]> {
  const { shape, rows, columns, type } = array;
  const cells: NumberColumn[] = [];
  for (let column = 0; column < columns; column++) {
    const at = fortranIndex(shape, column) * rows + from;
    cells.push(takeCells(await readView(file, array, at, to - from), type, 0, type.bytes, to - from));
  }
  return cells;
}

/** Where the column lies whose indexes, the last running fastest, are the given one, when the first runs fastest. */
function fortranIndex([, ...sizes]: readonly number[], column: number): number {
  let rest = column;
  let index = 0;
  for (let i = sizes.length - 1; i >= 0; i--) {
    const step = sizes.slice(0, i).reduce((product, size) => product * size, 1);
    index += (rest % sizes[i]!) * step;
    rest = Math.floor(rest / sizes[i]!);
  }
  return index;
}

async function readView(
  file: FileHandle,
  { headBytes, type, name }: NpyFile,
  at: number,
  count: number,
): Promise<DataView> {
  const bytes = new Uint8Array(count * type.bytes);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, headBytes + at * type.bytes);
  if (bytesRead < bytes.length)
    throw new DatasetError('truncated', {
      got: `${bytesRead} bytes of values`,
      expected: `${bytes.length}`,
      where: name,
      remedy: 'Copy the file again, or write it anew.',
    });
  return new DataView(bytes.buffer);
}

function takeCells(view: DataView, type: NpyType, from: number, step: number, count: number): NumberColumn {
  const numbers = numbersOf(view, type, from, step, count);
  if (type.kind === 'b1') return Array.from(numbers, (number) => number !== 0);
  if (type.kind !== 'i8' && type.kind !== 'u8') return numbers;
  return Array.from(numbers, (number, row) =>
    Number.isSafeInteger(number) ? number : cellOf(type.exact(view, from + row * step)),
  );
}
