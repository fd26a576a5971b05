import { BitMatrix } from '@orchard/dataset';

/**
 * Rows in the order of their bits, so that those with equal values in the first columns lie side by side, whatever the
 * number of columns: what a conditional asks of such rows it asks once.
 */
export interface SortedRows {
  readonly matrix: BitMatrix;
  /** How many of its first columns a row has in common with the row before it; 0 of the first. */
  readonly common: Uint32Array;
}

/** What {@link attachSorted} takes: buffers that threads share. */
export interface SharedSorted {
  readonly matrix: ArrayBufferLike;
  readonly common: ArrayBufferLike;
}

/** Sorts rows into memory that threads share. O(N x columns / 8). */
export function sortRows(matrix: BitMatrix): SharedSorted {
  const { stride, rows, dimensions } = matrix;
  const sorted = matrix.selectRows(orderOf(matrix));
  const bytes = new Uint8Array(new SharedArrayBuffer(sorted.buffer.byteLength));
  bytes.set(new Uint8Array(sorted.buffer));
  const first = BitMatrix.from(bytes.buffer).bytes;
  const common = new Uint32Array(new SharedArrayBuffer(4 * rows));
  for (let row = 1; row < rows; row++) {
    const [before, own] = [(row - 1) * stride, row * stride];
    let byte = 0;
    while (byte < stride && first[before + byte] === first[own + byte]) byte++;
    common[row] = byte === stride ? dimensions : 8 * byte + Math.clz32(first[before + byte]! ^ first[own + byte]!) - 24;
  }
  return { matrix: bytes.buffer, common: common.buffer };
}

/**
 * The rows by their bytes, of equal ones the earlier first: sorted by one byte after the other, the last one first,
 * each time stably.
 */
function orderOf({ bytes, stride, rows }: BitMatrix): Uint32Array {
  let order = Uint32Array.from({ length: rows }, (_, row) => row);
  let next = new Uint32Array(rows);
  const places = new Uint32Array(256);
  for (let byte = stride - 1; byte >= 0; byte--) {
    places.fill(0);
    for (let row = 0; row < rows; row++) places[bytes[row * stride + byte]!]!++;
    let place = 0;
    for (let value = 0; value < 256; value++) {
      const count = places[value]!;
      places[value] = place;
      place += count;
    }
    for (const row of order) next[places[bytes[row * stride + byte]!]!++] = row;
    const before = order;
    order = next;
    next = before;
  }
  return order;
}

export function attachSorted({ matrix, common }: SharedSorted): SortedRows {
  return { matrix: BitMatrix.from(matrix), common: new Uint32Array(common) };
}
