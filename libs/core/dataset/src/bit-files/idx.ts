import type { HeadReader } from './array-parser.js';
import { DatasetError } from '../errors.js';

const UNSIGNED_BYTES = 0x08;

/**
 * The head of an IDX file, MNIST's format: two zero bytes, the type of the values, the number of sizes, then the sizes
 * as big-endian u32: rows, and height and width of an image or the number of columns.
 */
export const readIdxHead: HeadReader = (head, { name }) => {
  if (head.length < 4) return 4;
  const [, , type, sizes] = head as unknown as [number, number, number, number];
  const fail = (got: string, expected: string, remedy: string): never => {
    throw new DatasetError('format', { got, expected, where: name, remedy });
  };
  if (head[0] !== 0 || head[1] !== 0)
    fail('other first bytes', 'two zero bytes, as IDX begins', 'Give the right format.');
  if (type !== UNSIGNED_BYTES)
    fail(
      `values of type 0x${type.toString(16)}`,
      'type 0x8, unsigned bytes',
      'Save images as unsigned bytes, or as NPY.',
    );
  if (sizes === 1) fail('one size, as of labels', 'images: three sizes', 'Give the file of the images.');
  if (sizes !== 2 && sizes !== 3)
    fail(`${sizes} sizes`, 'rows, height and width; or rows and columns', 'Save the images as rows x height x width.');
  const headBytes = 4 + 4 * sizes;
  if (head.length < headBytes) return headBytes;
  const view = new DataView(head.buffer, head.byteOffset);
  const rows = view.getUint32(4);
  const height = view.getUint32(8);
  const width = sizes === 3 ? view.getUint32(12) : 1;
  const dimensions = height * width;
  if (dimensions === 0)
    throw new DatasetError('empty', {
      got: `rows of ${height} x ${width} values`,
      expected: 'at least one value a row',
      where: name,
      remedy: 'Check that the right file was given.',
    });
  const shape = sizes === 3 ? ([height, width] as const) : null;
  return { form: { rows, dimensions, shape, valueBytes: 1, type: null, fortran: false }, headBytes };
};
