import { MAXIMUM_DIMENSIONS } from '@orchard/contracts/limits';
import { checkTable } from '../variables/check-table.js';
import { DatasetError } from '../errors.js';
import { Columns, type TableDocument } from './columns-of-rows.js';

/**
 * The buffer of a BitMatrix, little-endian: a header of 64 bytes, the names as UTF-8 JSON padded with zeros to a
 * multiple of 8, then `rows * stride` bytes of bits.
 *
 *   0  8 bytes  magic `ORCHBITS`         24  u32  stride, bytes a row, a multiple of 8
 *   8  u32      version                  28  u32  height of the shape, 0 without one
 *  12  u32      offset of the bits       32  u32  width of the shape, 0 without one
 *  16  u32      rows                     36  u32  bytes of the names before padding, 0 without names
 *  20  u32      dimensions               40       zeros
 *
 * Version 2 holds the rows of a table: `{ table, tailNats }` as JSON instead of the names, perhaps with spaces behind
 * it.
 */
export interface Layout {
  readonly rows: number;
  readonly dimensions: number;
  readonly stride: number;
  readonly bitsOffset: number;
  readonly names: readonly string[] | null;
  readonly shape: readonly [number, number] | null;
  readonly columns: Columns;
}

const MAGIC = 'ORCHBITS';
const VERSION = 1;
const TABLE_VERSION = 2;
export const HEADER_BYTES = 64;
const MAX_U32 = 0xffffffff;

const roundUpTo8 = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** Bytes a row takes: whole 64-bit words, so that rows can be read by words. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / 64) * 8;
}

function isCount(value: number, least: number): boolean {
  return Number.isInteger(value) && value >= least && value <= MAX_U32;
}

/** Refuses names that could not distinguish the columns, or to be hashed as UTF-8. */
function checkNames(names: readonly string[], dimensions: number): void {
  const fail = (got: string, expected: string, remedy: string): never => {
    throw new DatasetError('column', { got, expected, remedy });
  };
  if (names.length !== dimensions)
    fail(`${names.length} names`, `${dimensions}, one a dimension`, 'Give every dimension a name, or none.');
  const seen = new Set<string>();
  for (const name of names) {
    if (typeof name !== 'string' || name === '' || !name.isWellFormed())
      fail(`the name ${JSON.stringify(name)}`, 'text of at least one character', 'Name the column.');
    if (seen.has(name)) fail(`the name ${JSON.stringify(name)} twice`, 'distinct names', 'Rename one of the columns.');
    seen.add(name);
  }
}

function checkShape(shape: readonly [number, number], dimensions: number): void {
  const [height, width] = shape;
  if (!isCount(height, 1) || !isCount(width, 1) || height * width !== dimensions)
    throw new DatasetError('argument', {
      got: `the shape ${height}x${width}`,
      expected: `height x width = ${dimensions}, the number of dimensions`,
      remedy: 'Give the shape of the images in the file, or none.',
    });
}

/**
 * Writes a new buffer's header and names; the bits are zero.
 *
 * @param document what the bits mean where they are those of a table, else null
 * @throws DatasetError on impossible sizes, names or shape.
 */
export function allocate(
  rows: number,
  dimensions: number,
  names: readonly string[] | null,
  shape: readonly [number, number] | null,
  shared: boolean,
  document: TableDocument | null = null,
): ArrayBufferLike {
  if (!isCount(rows, 0) || !isCount(dimensions, 1))
    throw new DatasetError('argument', {
      got: `${rows} rows of ${dimensions} dimensions`,
      expected: `whole numbers, at least 0 rows and 1 dimension, below 2^32`,
      remedy: 'Check the sizes.',
    });
  if (names) checkNames(names, dimensions);
  if (shape) checkShape(shape, dimensions);
  const text = new TextEncoder().encode(document ? JSON.stringify(document) : names ? JSON.stringify(names) : '');
  const bitsOffset = HEADER_BYTES + roundUpTo8(text.length);
  const stride = strideOf(dimensions);
  const byteLength = bitsOffset + rows * stride;
  let buffer: ArrayBufferLike;
  try {
    buffer = shared ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength);
  } catch (cause) {
    const got = `${rows} rows of ${dimensions} dimensions (${byteLength} bytes)`;
    const remedy = 'Use fewer rows or columns, or a machine with more memory.';
    throw new DatasetError('limit', { got, expected: 'what fits in memory', remedy }, { cause });
  }
  const header = new DataView(buffer);
  for (let i = 0; i < MAGIC.length; i++) header.setUint8(i, MAGIC.charCodeAt(i));
  const version = document ? TABLE_VERSION : VERSION;
  const fields = [version, bitsOffset, rows, dimensions, stride, shape?.[0] ?? 0, shape?.[1] ?? 0, text.length];
  fields.forEach((value, i) => {
    header.setUint32(8 + 4 * i, value, true);
  });
  new Uint8Array(buffer, HEADER_BYTES).set(text);
  return buffer;
}

/**
 * The longest JSON of a number. Rows that are written before their sums are known are allocated with it in each one's
 * place.
 */
export const LONGEST_NUMBER = -1.2345678901234567e-300;

/**
 * Writes what the rows of a table mean over what was said of them when their buffer was allocated, in no more room: the
 * bits stay where they are.
 */
export function writeTable(buffer: ArrayBufferLike, document: TableDocument): void {
  const { nameBytes } = parseHead(new Uint8Array(buffer));
  const text = new TextEncoder().encode(JSON.stringify(document));
  if (text.length > nameBytes) throw new RangeError(`${text.length} bytes do not fit in ${nameBytes}`);
  new Uint8Array(buffer, HEADER_BYTES, nameBytes).fill(0x20).set(text);
}

/** The sizes that the first bytes of a buffer announce: known before the rest is read. */
export interface LayoutHead {
  readonly rows: number;
  readonly dimensions: number;
  readonly stride: number;
  readonly bitsOffset: number;
  readonly nameBytes: number;
  readonly height: number;
  readonly width: number;
  readonly isTable: boolean;
  /** Of the whole buffer, header included. */
  readonly bytes: number;
}

const fail = (got: string, expected: string): never => {
  const remedy = 'Make the buffer with BitMatrix, and hand it over whole.';
  throw new DatasetError('buffer', { got, expected, remedy });
};

/**
 * Reads and checks magic, version and sizes of a buffer of unknown origin.
 *
 * @param head at least its first {@link HEADER_BYTES} bytes, or all it has
 * @throws DatasetError with code `buffer`; `limit` for more dimensions than are taken
 */
export function parseHead(head: Uint8Array): LayoutHead {
  const magic = String.fromCharCode(...head.subarray(0, MAGIC.length));
  if (head.length >= MAGIC.length && magic !== MAGIC)
    fail(`the first bytes ${JSON.stringify(magic)}`, `the magic ${MAGIC}`);
  if (head.length < HEADER_BYTES) fail(`${head.length} bytes`, `a BitMatrix, whose header has ${HEADER_BYTES} bytes`);
  const header = new DataView(head.buffer, head.byteOffset, HEADER_BYTES);
  const u32 = (index: number): number => header.getUint32(8 + 4 * index, true);
  const isTable = u32(0) === TABLE_VERSION;
  if (u32(0) !== VERSION && !isTable) fail(`version ${u32(0)}`, `version ${VERSION} or ${TABLE_VERSION}`);
  const bitsOffset = u32(1);
  const rows = u32(2);
  const dimensions = u32(3);
  const stride = u32(4);
  const nameBytes = u32(7);
  if (dimensions < 1) fail('0 dimensions', 'at least 1');
  if (stride !== strideOf(dimensions)) fail(`a stride of ${stride} bytes`, `${strideOf(dimensions)}`);
  if (bitsOffset !== HEADER_BYTES + roundUpTo8(nameBytes))
    fail(`bits at byte ${bitsOffset}`, `${HEADER_BYTES + roundUpTo8(nameBytes)}`);
  if (dimensions > MAXIMUM_DIMENSIONS)
    throw new DatasetError('limit', {
      got: `${dimensions} dimensions`,
      expected: `at most ${MAXIMUM_DIMENSIONS}`,
      remedy: 'Use fewer columns.',
    });
  const bytes = bitsOffset + rows * stride;
  return { rows, dimensions, stride, bitsOffset, nameBytes, height: u32(5), width: u32(6), isTable, bytes };
}

/**
 * Reads and checks a buffer of unknown origin: magic, version, sizes, names, shape, and that all padding is zero.
 * Cost: one pass over the last words of the rows.
 * @throws DatasetError with code `buffer`.
 */
export function parse(buffer: ArrayBufferLike): Layout {
  const all = new Uint8Array(buffer);
  const head = parseHead(all);
  const { rows, dimensions, stride, bitsOffset, nameBytes, height, width, isTable, bytes: size } = head;
  if (all.length !== size) fail(`${all.length} bytes`, `${size} as the header says`);
  const isZero = (from: number, to: number): boolean => {
    for (let i = from; i < to; i++) if (all[i] !== 0) return false;
    return true;
  };
  if (!isZero(40, HEADER_BYTES) || !isZero(HEADER_BYTES + nameBytes, bitsOffset))
    fail('bytes in the padding of the header', 'zeros');

  // the last words of a row beyond the dimensions
  const fullBytes = dimensions >> 3;
  const tailMask = 0xff >> (dimensions & 7);
  for (let row = 0; row < rows; row++) {
    const start = bitsOffset + row * stride;
    if (fullBytes === stride) break;
    if ((all[start + fullBytes]! & tailMask) !== 0 || !isZero(start + fullBytes + 1, start + stride))
      fail(`bits beyond dimension ${dimensions} in row ${row}`, 'zero padding');
  }

  const shape: [number, number] | null = height === 0 && width === 0 ? null : [height, width];
  let names: readonly string[] | null = null;
  let document: TableDocument | null = null;
  try {
    if (shape) checkShape(shape, dimensions);
    if (nameBytes > 0) {
      const bytes = all.slice(HEADER_BYTES, HEADER_BYTES + nameBytes); // off the shared buffer: TextDecoder wants its own
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      if (isTable) document = checkTable(value, dimensions);
      else {
        if (!Array.isArray(value)) throw new TypeError('no list of names');
        checkNames(value as string[], dimensions);
        names = Object.freeze(value as string[]);
      }
    }
  } catch (cause) {
    const expected = `names and a shape of ${dimensions} dimensions`;
    const remedy = 'Make the buffer with BitMatrix, and hand it over whole.';
    throw new DatasetError(
      'buffer',
      { got: `a header that does not hold: ${String(cause)}`, expected, remedy },
      { cause },
    );
  }
  const columns = document === null ? Columns.alike(dimensions, names) : Columns.of(document.table, document.tailNats);
  return { rows, dimensions, stride, bitsOffset, names, shape, columns };
}
