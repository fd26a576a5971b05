import { contentHash } from './content-hash.js';
import { DatasetError } from '../errors.js';
import { allocate, parse, type Layout } from './bit-layout.js';
import type { Columns } from './columns-of-rows.js';

/** What a BitMatrix may carry beside its bits. */
export interface BitMatrixOptions {
  /** One name a dimension, distinct. @default null */
  readonly names?: readonly string[] | null;
  /** Height and width of the image that a row is, row-major. @default null */
  readonly shape?: readonly [number, number] | null;
  /** Whether the buffer is a SharedArrayBuffer, which threads can read without a copy. @default false */
  readonly shared?: boolean;
  /** What the bits mean. @default each is a column of 0 and 1 */
  readonly columns?: Columns;
}

/**
 * N rows of D dimensions, one bit each, with column names and image shape: an object that is views on one buffer.
 * The bit of `dim` in `row` is `(bytes[row * stride + (dim >> 3)] >> (7 - (dim & 7))) & 1`. Padding is always zero.
 */
export class BitMatrix {
  readonly rows: number;
  readonly dimensions: number;
  /** Bytes from a row to the next, a multiple of 8. */
  readonly stride: number;
  /** The packed bits, `rows * stride` bytes; a view on {@link buffer}, aligned to 8. */
  readonly bytes: Uint8Array;
  readonly names: readonly string[] | null;
  readonly shape: readonly [number, number] | null;
  /** What the bits mean. */
  readonly columns: Columns;

  readonly #layout: Layout;

  private constructor(
    readonly buffer: ArrayBufferLike,
    layout = parse(buffer),
  ) {
    this.#layout = layout;
    this.rows = layout.rows;
    this.dimensions = layout.dimensions;
    this.stride = layout.stride;
    this.bytes = new Uint8Array(buffer, layout.bitsOffset, layout.rows * layout.stride);
    this.names = layout.names;
    this.shape = layout.shape;
    this.columns = layout.columns;
  }

  /** All zeros. @throws DatasetError on impossible sizes, names or shape. */
  static create(rows: number, dimensions: number, options: BitMatrixOptions = {}): BitMatrix {
    const { names = null, shape = null, shared = false, columns } = options;
    return new BitMatrix(allocate(rows, dimensions, names, shape, shared, columns?.document));
  }

  /** The matrix that a buffer of another BitMatrix holds, without a copy. @throws DatasetError on any other bytes. */
  static from(buffer: ArrayBufferLike): BitMatrix {
    return new BitMatrix(buffer);
  }

  /**
   * From rows written out, as `[0, 1, 1]` or `'011'`. For small data.
   * @throws DatasetError on no rows, rows of different lengths, and values other than 0 and 1.
   */
  static fromRows(
    rows: readonly (readonly number[] | string | ArrayLike<number>)[],
    options: BitMatrixOptions = {},
  ): BitMatrix {
    const dimensions = rows[0]?.length ?? 0;
    if (dimensions === 0) {
      const remedy = 'Use BitMatrix.create for a matrix without rows.';
      throw new DatasetError('empty', { got: 'no values', expected: 'at least one row of one value', remedy });
    }
    const matrix = BitMatrix.create(rows.length, dimensions, options);
    rows.forEach((values, row) => {
      if (values.length !== dimensions)
        throw new DatasetError('ragged', {
          got: `${values.length} values`,
          expected: `${dimensions}, as in row 1`,
          where: `row ${row + 1}`,
          remedy: 'Give every row the same number of values.',
        });
      for (let dim = 0; dim < dimensions; dim++) {
        const value = Number(values[dim]);
        if (value !== 0 && value !== 1)
          throw new DatasetError('value', {
            got: String(values[dim]),
            expected: '0 or 1',
            where: `row ${row + 1}, column ${dim + 1}`,
            remedy: 'Make the values binary first.',
          });
        if (value === 1) matrix.set(row, dim, 1);
      }
    });
    return matrix;
  }

  /** Unchecked, for speed: `row` and `dim` must be in range. */
  get(row: number, dim: number): 0 | 1 {
    return ((this.bytes[row * this.stride + (dim >> 3)]! >> (7 - (dim & 7))) & 1) as 0 | 1;
  }

  /**
   * The values of a row, a byte each; unchecked, for speed.
   *
   * @param values dimensions
   */
  readRow(row: number, values: Uint8Array): void {
    const { bytes, dimensions } = this;
    const start = row * this.stride;
    for (let dim = 0; dim < dimensions; dim++) values[dim] = (bytes[start + (dim >> 3)]! >> (7 - (dim & 7))) & 1;
  }

  /** Sets one bit. @throws DatasetError where there is no such bit. */
  set(row: number, dim: number, value: 0 | 1 | boolean): void {
    this.checkIndex(row, this.rows, 'row');
    this.checkIndex(dim, this.dimensions, 'dimension');
    const at = row * this.stride + (dim >> 3);
    const bit = 0x80 >> (dim & 7);
    if (value) this.bytes[at]! |= bit;
    else this.bytes[at]! &= ~bit;
  }

  /** Ones in every dimension: length `dimensions`. One table look-up a byte. */
  columnCounts(): Uint32Array {
    const { rows, dimensions, stride, bytes } = this;
    const used = Math.ceil(dimensions / 8);
    const histogram = new Uint32Array(used * 256);
    for (let row = 0; row < rows; row++) {
      const start = row * stride;
      for (let i = 0; i < used; i++) histogram[(i << 8) | bytes[start + i]!]!++;
    }
    const counts = new Uint32Array(dimensions);
    for (let dim = 0; dim < dimensions; dim++) {
      const bit = 0x80 >> (dim & 7);
      const base = (dim >> 3) << 8;
      let ones = 0;
      for (let value = bit; value < 256; value++) if (value & bit) ones += histogram[base | value]!;
      counts[dim] = ones;
    }
    return counts;
  }

  /** Ones in every row: length `rows`. */
  rowCounts(): Uint32Array {
    const words = new Uint32Array(this.buffer, this.bytes.byteOffset, this.bytes.length / 4);
    const perRow = this.stride / 4;
    const counts = new Uint32Array(this.rows);
    for (let row = 0, at = 0; row < this.rows; row++) {
      let ones = 0;
      for (let i = 0; i < perRow; i++, at++) {
        // population count by halves
        let word = words[at]!;
        word -= (word >>> 1) & 0x55555555;
        word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
        ones += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
      }
      counts[row] = ones;
    }
    return counts;
  }

  /**
   * The given dimensions in the given order, with their names: a slice or a permutation. The shape stays only where
   * every dimension stays in its place. A dimension may come twice where there are no names.
   * @throws DatasetError on a dimension out of range.
   */
  selectColumns(dims: ArrayLike<number>): BitMatrix {
    const { names, shape, rows, stride, bytes } = this;
    const count = dims.length;
    const sourceByte = new Uint32Array(count);
    const sourceShift = new Uint8Array(count);
    let inPlace = count === this.dimensions;
    const picked: string[] = [];
    for (let i = 0; i < count; i++) {
      const dim = dims[i]!;
      this.checkIndex(dim, this.dimensions, 'dimension');
      sourceByte[i] = dim >> 3;
      sourceShift[i] = 7 - (dim & 7);
      inPlace &&= dim === i;
      if (names) picked.push(names[dim]!);
    }
    const result = BitMatrix.create(rows, count, {
      names: names && picked,
      shape: inPlace ? shape : null,
      shared: this.isShared(),
    });
    const target = result.bytes;
    for (let row = 0; row < rows; row++) {
      const from = row * stride;
      const to = row * result.stride;
      let packed = 0;
      for (let i = 0; i < count; i++) {
        packed = (packed << 1) | ((bytes[from + sourceByte[i]!]! >> sourceShift[i]!) & 1);
        if ((i & 7) === 7) {
          target[to + (i >> 3)] = packed;
          packed = 0;
        }
      }
      if (count & 7) target[to + (count >> 3)] = packed << (8 - (count & 7));
    }
    return result;
  }

  /** The given rows in the given order; a row may come twice. @throws DatasetError on a row out of range. */
  selectRows(rows: ArrayLike<number>): BitMatrix {
    const { stride, bytes, names, shape } = this;
    const result = BitMatrix.create(rows.length, this.dimensions, { names, shape, shared: this.isShared() });
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      this.checkIndex(row, this.rows, 'row');
      result.bytes.set(bytes.subarray(row * stride, (row + 1) * stride), i * stride);
    }
    return result;
  }

  /** The same bits with another meaning, of as many dimensions: a copy. */
  withColumns(columns: Columns): BitMatrix {
    const { rows, dimensions, names, shape } = this;
    const result = BitMatrix.create(rows, dimensions, { names, shape, shared: this.isShared(), columns });
    result.bytes.set(this.bytes);
    return result;
  }

  /** The same rows in a buffer of their own; what its header says is not read again. */
  copy(): BitMatrix {
    return new BitMatrix(this.buffer.slice(0), this.#layout);
  }

  /** A copy of rows `from ... to - 1`. */
  sliceRows(from: number, to: number): BitMatrix {
    const { stride, bytes, names, shape } = this;
    const result = BitMatrix.create(to - from, this.dimensions, { names, shape, shared: this.isShared() });
    result.bytes.set(bytes.subarray(from * stride, to * stride));
    return result;
  }

  /** Whether rows, dimensions, names, shape and every bit are the same, which is when the content hashes are. */
  equals(other: BitMatrix): boolean {
    const formOf = ({ rows, dimensions, names, shape, columns }: BitMatrix): string =>
      JSON.stringify([rows, dimensions, names, shape, columns.document]);
    if (formOf(this) !== formOf(other)) return false;
    const [a, b] = [this.bytes, other.bytes];
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
    return true;
  }

  /** The data set's name: SHA-256 in hex over rows, dimensions, names, shape and bits (README: exact layout). */
  contentHash(): string {
    return contentHash(this);
  }

  private isShared(): boolean {
    // browsers name it only to pages that are isolated from others
    return typeof SharedArrayBuffer !== 'undefined' && this.buffer instanceof SharedArrayBuffer;
  }

  private checkIndex(index: number, end: number, what: string): void {
    if (!Number.isInteger(index) || index < 0 || index >= end)
      throw new DatasetError('argument', {
        got: `${what} ${index}`,
        expected: `a whole number from 0 to ${end - 1}`,
        remedy: `Count the ${what}s from 0.`,
      });
  }
}
