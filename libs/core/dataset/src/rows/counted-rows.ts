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
  /** Of every row the distinct one that it is: 4 bytes each. */
  readonly places: ArrayBufferLike;
}

/** Counts equal rows: what learning asks of a row it asks once. The result is in memory that threads share. */
export function shareRows(matrix: BitMatrix): SharedRows {
  const places = new Uint32Array(new SharedArrayBuffer(4 * matrix.rows));
  const firsts = findEqualRows(matrix, places);
  const counts = new Float64Array(new SharedArrayBuffer(8 * firsts.length));
  for (const place of places) counts[place]!++;
  return {
    distinct: inSharedMemory(matrix.selectRows(firsts).buffer),
    counts: counts.buffer,
    places: places.buffer,
  };
}

/**
 * By a table of hashes: a map of texts would take ten times as much memory, and no more than 2^24 rows.
 *
 * @param places get for every row which of those that differ it is
 * @returns where each of those came first
 */
function findEqualRows({ bytes, stride, rows }: BitMatrix, places: Uint32Array): Uint32Array {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const width = stride / 4;
  const mask = 2 ** Math.ceil(Math.log2(2 * rows + 1)) - 1;
  /**
   * Of each hash 1 more than the place of a row that has it, or of one that found its own taken; 0 where there is none.
   */
  const table = new Uint32Array(mask + 1);
  const firsts = new Uint32Array(rows);
  const isSame = (a: number, b: number): boolean => {
    for (let at = 0; at < width; at++) if (words[a + at] !== words[b + at]) return false;
    return true;
  };
  let found = 0;
  for (let row = 0; row < rows; row++) {
    const from = row * width;
    let hash = 0;
    for (let at = from; at < from + width; at++) {
      hash = Math.imul(hash ^ words[at]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let slot = hash & mask;
    while (table[slot] !== 0 && !isSame(firsts[table[slot]! - 1]! * width, from)) slot = (slot + 1) & mask;
    if (table[slot] === 0) {
      firsts[found] = row;
      table[slot] = ++found;
    }
    places[row] = table[slot]! - 1;
  }
  return firsts.slice(0, found);
}

export function attachRows({ distinct, counts }: Omit<SharedRows, 'places'>): CountedRows {
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

/** A copy that threads share. */
export function inSharedMemory(buffer: ArrayBufferLike): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(buffer.byteLength);
  new Uint8Array(shared).set(new Uint8Array(buffer));
  return shared;
}
