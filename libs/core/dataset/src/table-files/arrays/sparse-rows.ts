import type { RowFile } from '../../reading/row-file.js';
import { npyType } from '../../bit-files/npy.js';
import { readRows, withFile, type NpyFile } from './npy-file.js';

/** Entries that are read at a time. */
const READ = 2 ** 16;
/** Entries that are sorted at a time, 12 bytes each. */
const SORTED = 2 ** 21;

/** Numbers on disk, of which a part is read at a time. */
export interface Numbers {
  readonly length: number;
  /** Numbers `from ... to - 1`. */
  read(from: number, to: number): Promise<Float64Array>;
}

/** A sparse matrix on disk, row after row: row i has the entries `starts[i] ... starts[i + 1] - 1`. */
export interface SparseRows {
  readonly starts: Numbers;
  /** How many there are. */
  readonly entries: number;
  /** Columns and values of the entries `from ... to - 1`. */
  read(from: number, to: number): Promise<readonly [columns: Float64Array, values: Float64Array]>;
}

/** An array of one size; null is one of no number. */
export function storedNumbers(array: NpyFile | null): Numbers {
  return {
    length: array?.rows ?? 0,
    read: async (from, to) => {
      if (array === null || from >= to) return new Float64Array(0);
      const [cells] = await withFile(array.path, (file) => readRows(file, array, from, to));
      return cells instanceof Float64Array ? cells : Float64Array.from(cells!, Number);
    },
  };
}

/** Ranges of so many numbers, one after another. */
export function* ranges(from: number, to: number): Generator<readonly [from: number, to: number], void> {
  for (let at = from; at < to; at += READ) yield [at, Math.min(to, at + READ)];
}

/**
 * Entries in any order, written row by row beside the file. Memory is 4 bytes a row and what is sorted at a time: the
 * entries are read once for each two million of them.
 *
 * @param rowsOf the row of each entry, all of them in the matrix
 * @param columnsOf the columns of entries `from ... to - 1`
 */
export async function sortByRow(
  file: RowFile,
  rows: number,
  rowsOf: Numbers,
  columnsOf: Numbers,
  values: Numbers,
): Promise<SparseRows> {
  const counts = new Uint32Array(rows);
  for (const [from, to] of ranges(0, rowsOf.length)) for (const row of await rowsOf.read(from, to)) counts[row]!++;
  const entries = await file.keep(sortedEntries(counts, rowsOf, columnsOf, values));
  const starts = await file.keep(startsOf(counts));
  const ofEntries = plainArray(entries, rowsOf.length, 2);
  return {
    starts: storedNumbers(plainArray(starts, rows + 1, 1)),
    entries: rowsOf.length,
    read: async (from, to) => {
      const [columns, read] = await withFile(entries, (handle) => readRows(handle, ofEntries, from, to));
      return [columns as Float64Array, read as Float64Array];
    },
  };
}

async function* sortedEntries(
  counts: Uint32Array,
  rowsOf: Numbers,
  columnsOf: Numbers,
  values: Numbers,
): AsyncGenerator<Uint8Array, void> {
  for (let first = 0; first < counts.length;) {
    let last = first;
    let size = 0;
    do size += counts[last++]!;
    while (last < counts.length && size + counts[last]! <= SORTED);
    yield* piecesOf(await sortedWindow(counts.subarray(first, last), first, size, rowsOf, columnsOf, values));
    first = last;
  }
}

/** Column and value of the entries of some consecutive rows, by row and as they come. */
async function sortedWindow(
  counts: Uint32Array,
  first: number,
  size: number,
  rowsOf: Numbers,
  columnsOf: Numbers,
  values: Numbers,
): Promise<Float64Array> {
  const next = new Float64Array(counts.length);
  for (let row = 1; row < counts.length; row++) next[row] = next[row - 1]! + counts[row - 1]!;
  const sorted = new Float64Array(2 * size);
  for (const [from, to] of ranges(0, rowsOf.length)) {
    const [row, column, value] = [
      await rowsOf.read(from, to),
      await columnsOf.read(from, to),
      await values.read(from, to),
    ];
    for (let i = 0; i < row.length; i++) {
      const at = row[i]! - first;
      if (at < 0 || at >= counts.length) continue;
      const place = next[at]!++;
      sorted[2 * place] = column[i]!;
      sorted[2 * place + 1] = value[i]!;
    }
  }
  return sorted;
}

async function* startsOf(counts: Uint32Array): AsyncGenerator<Uint8Array, void> {
  let start = 0;
  for (const [from, to] of ranges(0, counts.length + 1)) {
    const starts = new Float64Array(to - from);
    for (let row = from; row < to; row++) {
      starts[row - from] = start;
      start += counts[row] ?? 0;
    }
    yield* piecesOf(starts);
  }
}

function* piecesOf(numbers: Float64Array): Generator<Uint8Array, void> {
  for (const [from, to] of ranges(0, numbers.length)) {
    const part = numbers.subarray(from, to);
    yield new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  }
}

/** What {@link piecesOf} wrote, as rows of so many numbers. */
function plainArray(path: string, rows: number, columns: number): NpyFile {
  const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  const type = npyType(isLittle ? '<f8' : '>f8')!;
  return { path, name: path, shape: [rows, columns], rows, columns, fortran: false, headBytes: 0, type };
}
