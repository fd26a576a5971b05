import { BitMatrix } from './bit-matrix.js';

/** Rows that differ, in the order in which they came first, and how often each is there. */
export interface CountedRows {
  readonly distinct: BitMatrix;
  readonly counts: Float64Array;
  /** In all. */
  readonly rows: number;
  /** The columns in which distinct row r is 1: `columns[starts[r]]` to before `columns[starts[r + 1]]`. */
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
}

/** What {@link attachRows} takes: buffers that threads share. */
export interface SharedRows {
  readonly distinct: ArrayBufferLike;
  readonly counts: ArrayBufferLike;
}

/** Counts equal rows: what learning asks of a row it asks once. The result is in memory that threads share. */
export function shareRows(matrix: BitMatrix): SharedRows {
  const { bytes, stride } = matrix;
  const places = new Map<string, number>();
  const firsts: number[] = [];
  const counts: number[] = [];
  for (let row = 0; row < matrix.rows; row++) {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset + row * stride, stride).toString('latin1');
    const place = places.get(key);
    if (place === undefined) {
      places.set(key, firsts.length);
      firsts.push(row);
      counts.push(1);
    } else counts[place]!++;
  }
  const shared = new Float64Array(new SharedArrayBuffer(8 * counts.length));
  shared.set(counts);
  return { distinct: inSharedMemory(matrix.selectRows(firsts).buffer), counts: shared.buffer };
}

export function attachRows({ distinct, counts }: SharedRows): CountedRows {
  const own = new Float64Array(counts);
  const matrix = BitMatrix.from(distinct);
  const rows = own.reduce((sum, count) => sum + count, 0);
  return { distinct: matrix, counts: own, rows, ...onesOf(matrix) };
}

/** The mean over all rows of what is known of each distinct one. */
export function meanOverRows(values: Float64Array, { counts, rows }: CountedRows): number {
  return values.reduce((sum, value, row) => sum + counts[row]! * value, 0) / rows;
}

function onesOf(matrix: BitMatrix): Pick<CountedRows, 'starts' | 'columns'> {
  const { bytes, stride, rows } = matrix;
  const ones = matrix.rowCounts();
  const starts = new Uint32Array(rows + 1);
  for (let row = 0; row < rows; row++) starts[row + 1] = starts[row]! + ones[row]!;
  const columns = new Uint32Array(starts[rows]!);
  for (let row = 0, at = 0; row < rows; row++)
    for (let byte = 0; byte < stride; byte++)
      for (let left = bytes[row * stride + byte]!; left !== 0;) {
        const bit = Math.clz32(left) - 24;
        columns[at++] = 8 * byte + bit;
        left ^= 0x80 >> bit;
      }
  return { starts, columns };
}

function inSharedMemory(buffer: ArrayBufferLike): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(buffer.byteLength);
  new Uint8Array(shared).set(new Uint8Array(buffer));
  return shared;
}
