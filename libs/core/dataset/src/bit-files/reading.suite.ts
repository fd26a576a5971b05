import { DatasetError } from '../errors.js';
import type { ReadOptions } from '../reading/options.js';
import { readDataset, readMasked, type MaskedRows } from './read.js';
import type { BitMatrix } from '../rows/bit-matrix.js';
import type { Source } from '../reading/source.js';

/** Content as a source, in chunks of the given size. */
export function sourceOf(content: string | Uint8Array, name = 'x.csv', chunkBytes = 1 << 16): Source {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      await Promise.resolve();
      yield bytes.subarray(at, at + chunkBytes);
    }
  }
  return { name, bytes: chunks() };
}

/** Reads a text or bytes. */
export function readContent(
  content: string | Uint8Array,
  options: ReadOptions & { name?: string; chunkBytes?: number } = {},
): Promise<BitMatrix> {
  const { name, chunkBytes, ...rest } = options;
  return readDataset(sourceOf(content, name, chunkBytes), rest);
}

/** Reads a text or bytes in which values may be missing. */
export function readMaskedContent(
  content: string | Uint8Array,
  options: ReadOptions & { name?: string } = {},
): Promise<MaskedRows> {
  const { name, ...rest } = options;
  return readMasked(sourceOf(content, name), rest);
}

/** The rows of a matrix as texts of 0 and 1. */
export function rowsOf(matrix: BitMatrix): string[] {
  return Array.from({ length: matrix.rows }, (_, row) =>
    Array.from({ length: matrix.dimensions }, (_, dim) => matrix.get(row, dim)).join(''),
  );
}

/** The refusal that a call ends in. */
export async function refusalOf(act: Promise<unknown> | (() => unknown)): Promise<DatasetError> {
  try {
    await (typeof act === 'function' ? act() : act);
  } catch (error) {
    if (error instanceof DatasetError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** An IDX file of unsigned bytes. */
export function idxFile(sizes: readonly number[], values: readonly number[], type = 8): Uint8Array {
  const file = Buffer.alloc(4 + 4 * sizes.length + values.length);
  file.set([0, 0, type, sizes.length]);
  sizes.forEach((size, i) => file.writeUInt32BE(size, 4 + 4 * i));
  file.set(values, 4 + 4 * sizes.length);
  return file;
}

/** An NPY file of version 1. */
export function npyFile(descr: string, shape: string, values: Uint8Array, fortran = false): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${shape}, }\n`;
  const head = Buffer.from(`\x93NUMPY\x01\x00\x00\x00${header}`, 'latin1');
  head.writeUInt16LE(header.length, 8);
  return Buffer.concat([head, values]);
}

/** Types of NumPy that are read, and how a number is written in each. */
const WRITERS = {
  b1: (view, at, value) => view.setUint8(at, value),
  u1: (view, at, value) => view.setUint8(at, value),
  i1: (view, at, value) => view.setInt8(at, value),
  u2: (view, at, value, little) => view.setUint16(at, value, little),
  i2: (view, at, value, little) => view.setInt16(at, value, little),
  u4: (view, at, value, little) => view.setUint32(at, value, little),
  i4: (view, at, value, little) => view.setInt32(at, value, little),
  u8: (view, at, value, little) => view.setBigUint64(at, BigInt(value), little),
  i8: (view, at, value, little) => view.setBigInt64(at, BigInt(value), little),
  f4: (view, at, value, little) => view.setFloat32(at, value, little),
  f8: (view, at, value, little) => view.setFloat64(at, value, little),
} as const satisfies Record<string, (view: DataView, at: number, value: number, little: boolean) => void>;

export type NumpyType = keyof typeof WRITERS;
export const numpyTypes = Object.keys(WRITERS) as readonly NumpyType[];

/** An NPY file of rows of numbers. */
export function npyFileOf(
  rows: readonly (readonly number[])[],
  { type, little, fortran }: { readonly type: NumpyType; readonly little: boolean; readonly fortran: boolean },
): Uint8Array {
  const columns = rows[0]!.length;
  const bytes = Number(type.slice(1));
  const view = new DataView(new ArrayBuffer(rows.length * columns * bytes));
  rows.forEach((values, row) => {
    values.forEach((value, column) => {
      const place = fortran ? column * rows.length + row : row * columns + column;
      WRITERS[type](view, place * bytes, value, little);
    });
  });
  const descr = `${bytes === 1 ? '|' : little ? '<' : '>'}${type}`;
  return npyFile(descr, `(${rows.length}, ${columns})`, new Uint8Array(view.buffer), fortran);
}
