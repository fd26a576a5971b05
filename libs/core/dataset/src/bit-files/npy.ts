import type { HeadReader } from './array-parser.js';
import type { ArrayForm } from './cells.js';
import { DatasetError } from '../errors.js';

/** `\x93NUMPY`. */
const NPY_MAGIC = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59);
const LONGEST_HEADER = 1 << 16;

type Read = (view: DataView, at: number) => number;

/** Readers of one value by NumPy's kind and size, given whether it is little-endian. */
const READERS: Readonly<Record<string, (little: boolean) => Read>> = {
  b1: () => (view, at) => view.getUint8(at),
  u1: () => (view, at) => view.getUint8(at),
  i1: () => (view, at) => view.getInt8(at),
  i2: (little) => (view, at) => view.getInt16(at, little),
  i4: (little) => (view, at) => view.getInt32(at, little),
  // beyond 2^53 the sum is rounded, but never to 0 or 1
  i8: (little) => (view, at) =>
    view.getInt32(at + (little ? 4 : 0), little) * 2 ** 32 + view.getUint32(at + (little ? 0 : 4), little),
  u2: (little) => (view, at) => view.getUint16(at, little),
  u4: (little) => (view, at) => view.getUint32(at, little),
  u8: (little) => (view, at) =>
    view.getUint32(at + (little ? 4 : 0), little) * 2 ** 32 + view.getUint32(at + (little ? 0 : 4), little),
  f4: (little) => (view, at) => view.getFloat32(at, little),
  f8: (little) => (view, at) => view.getFloat64(at, little),
};

/** What the head of an NPY file says. */
export interface NpyHead {
  /** The type of the values, as `<f8`. */
  readonly descr: string;
  readonly fortran: boolean;
  readonly shape: readonly number[];
  readonly headBytes: number;
}

/** An array of numbers or truth values, as rows of columns. */
export interface NpyArray extends NpyHead {
  readonly type: NpyType;
  /** The first size. */
  readonly rows: number;
  /** All sizes but the first, multiplied; 1 for an array of one size. */
  readonly columns: number;
}

/**
 * The head of an NPY file, versions 1 to 3: magic, version, length, and a Python dictionary of `descr` (the type),
 * `fortran_order` and `shape`.
 * @returns how many bytes are needed, where these are too few
 */
export function parseNpyHead(head: Uint8Array, name: string): number | NpyHead {
  const fail = (got: string, expected: string, remedy: string): never => {
    throw new DatasetError('format', { got, expected, where: name, remedy });
  };
  if (head.length < 12) return 12;
  if (NPY_MAGIC.some((byte, i) => head[i] !== byte))
    fail('other first bytes', 'the magic \\x93NUMPY', 'Give the right format.');
  const version = head[6]!;
  if (version < 1 || version > 3) fail(`NPY version ${version}`, '1, 2 or 3', 'Save it with numpy.save.');
  const view = new DataView(head.buffer, head.byteOffset);
  const start = version === 1 ? 10 : 12;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > LONGEST_HEADER)
    fail(`a header of ${length} bytes`, `at most ${LONGEST_HEADER}`, 'Save it as an array of plain numbers.');
  if (head.length < start + length) return start + length;
  const text = new TextDecoder().decode(head.subarray(start, start + length));
  const descr = /['"]descr['"]\s*:\s*(['"])([^'"]*)\1/.exec(text)?.[2];
  const order = /['"]fortran_order['"]\s*:\s*(True|False)/.exec(text)?.[1];
  const sizes = /['"]shape['"]\s*:\s*\(([\d,\sL]*)\)/.exec(text)?.[1];
  if (descr === undefined || order === undefined || sizes === undefined)
    return fail(
      `the header ${JSON.stringify(text.trim().slice(0, 100))}`,
      'descr (a plain type), fortran_order and shape',
      'Save it with numpy.save, as an array of plain numbers.',
    );
  const shape = (sizes.match(/\d+/g) ?? []).map(Number);
  return { descr, fortran: order === 'True', shape, headBytes: start + length };
}

/** @throws DatasetError where it has no numbers, or no rows */
export function npyArray(head: NpyHead, name: string): NpyArray {
  const { descr, shape } = head;
  const type = npyType(descr);
  if (!type)
    throw new DatasetError('format', {
      got: `values of type ${JSON.stringify(descr)}`,
      expected: 'numbers or truth values: bool, u1 to u8, i1 to i8, f4 or f8',
      where: name,
      remedy:
        'Convert the array first, as with array.astype("f8"); tables of text and numbers are saved with df.to_parquet("table.parquet").',
    });
  const [rows = 0, ...others] = shape;
  const columns = others.reduce((product, size) => product * size, 1);
  if (rows * columns === 0)
    throw new DatasetError('empty', {
      got: `the shape (${shape.join(', ')})`,
      expected: 'at least one row of one value',
      where: name,
      remedy: 'Check that the right array was saved.',
    });
  return { ...head, type, rows, columns };
}

/** The head of an NPY file of bits: rows x columns, or rows x height x width. */
export const readNpyHead: HeadReader = (head, { name }) => {
  const parsed = parseNpyHead(head, name);
  if (typeof parsed === 'number') return parsed;
  const { shape } = parsed;
  if (shape.length !== 2 && shape.length !== 3)
    throw new DatasetError('format', {
      got: `the shape (${shape.join(', ')})`,
      expected: '(rows, columns) or (rows, height, width)',
      where: name,
      remedy: 'Reshape the array first, as with array.reshape(rows, -1).',
    });
  const { type, fortran, rows, columns, headBytes } = npyArray(parsed, name);
  const form: ArrayForm = {
    rows,
    dimensions: columns,
    shape: shape.length === 3 ? [shape[1]!, shape[2]!] : null,
    valueBytes: type.bytes,
    // single bytes are numbers as they are
    type: type.kind === 'u1' ? null : type,
    fortran,
  };
  return { form, headBytes };
};

/** A type of numbers: how many bytes one takes, and how it is read. */
export interface NpyType {
  readonly kind: string;
  readonly bytes: number;
  readonly read: Read;
  /** For whole numbers of eight bytes, which a number may not hold. */
  readonly exact: (view: DataView, at: number) => bigint;
}

/**
 * So many numbers, the first at `from` and each `step` bytes behind the one before: all values of such arrays are read
 * here.
 */
export function numbersOf(view: DataView, { read }: NpyType, from: number, step: number, count: number): Float64Array {
  const numbers = new Float64Array(count);
  for (let i = 0, at = from; i < count; i++, at += step) numbers[i] = read(view, at);
  return numbers;
}

/** The type that a `descr` names, where it is one of numbers or truth values; null otherwise. */
export function npyType(descr: string): NpyType | null {
  const [, byteOrder, type = ''] = /^([<>|=]?)([a-z]\d+)$/.exec(descr) ?? [];
  const reader = READERS[type];
  if (!reader) return null;
  const little = byteOrder !== '>';
  const exact = (view: DataView, at: number): bigint =>
    type === 'u8' ? view.getBigUint64(at, little) : view.getBigInt64(at, little);
  return { kind: type, bytes: Number(type.slice(1)), read: reader(little), exact };
}
