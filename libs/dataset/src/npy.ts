import type { HeadReader } from './array-parser.js';
import type { ArrayForm } from './cells.js';
import { DatasetError } from './errors.js';

/** `\x93NUMPY`. */
export const NPY_MAGIC = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59);
const LONGEST_HEADER = 1 << 16;

type Read = (view: DataView, at: number) => number;

/** Readers of one value by NumPy's kind and size, given whether it is little-endian. */
const READERS: Readonly<Record<string, (little: boolean) => Read>> = {
  b1: () => (view, at) => view.getUint8(at),
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

/**
 * The head of an NPY file, versions 1 to 3: magic, version, length, and a Python dictionary of `descr` (the type),
 * `fortran_order` and `shape`: rows x columns, or rows x height x width.
 */
export const readNpyHead: HeadReader = (head, { name }) => {
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
  return { form: readForm(name, descr, order === 'True', shape), headBytes: start + length };
};

function readForm(name: string, descr: string, fortran: boolean, sizes: readonly number[]): ArrayForm {
  const [, byteOrder, type = ''] = /^([<>|=]?)([a-z]\d+)$/.exec(descr) ?? [];
  const reader = READERS[type];
  if (type !== 'u1' && !reader)
    throw new DatasetError('format', {
      got: `values of type ${JSON.stringify(descr)}`,
      expected: 'bool, u1 to u8, i1 to i8, f4 or f8',
      where: name,
      remedy: 'Convert the array first, as with array.astype("u1").',
    });
  if (sizes.length !== 2 && sizes.length !== 3)
    throw new DatasetError('format', {
      got: `the shape (${sizes.join(', ')})`,
      expected: '(rows, columns) or (rows, height, width)',
      where: name,
      remedy: 'Reshape the array first, as with array.reshape(rows, -1).',
    });
  const [rows = 0, height = 0, width = 1] = sizes;
  if (height * width === 0)
    throw new DatasetError('empty', {
      got: `the shape (${sizes.join(', ')})`,
      expected: 'at least one value a row',
      where: name,
      remedy: 'Check that the right file was given.',
    });
  return {
    rows,
    dimensions: height * width,
    shape: sizes.length === 3 ? [height, width] : null,
    valueBytes: Number(type.slice(1)),
    read: reader?.(byteOrder !== '>') ?? null,
    fortran,
  };
}
