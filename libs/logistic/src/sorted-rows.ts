import { BitMatrix } from '@orchard/dataset';

/**
 * Rows in the order of their bits, so that those with equal values in the first columns lie side by side, whatever the number of
 * columns: what a conditional asks of such rows it asks once.
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

/** Sorts rows into memory that threads share. O(N log N) comparisons of rows. */
export function sortRows(matrix: BitMatrix): SharedSorted {
  const { bytes, stride, rows, dimensions } = matrix;
  const views = Array.from({ length: rows }, (_, row) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + row * stride, stride),
  );
  const order = Uint32Array.from(views.keys()).sort((a, b) => Buffer.compare(views[a]!, views[b]!) || a - b);
  const sorted = matrix.selectRows(Array.from(order));
  const shared = new SharedArrayBuffer(sorted.buffer.byteLength);
  new Uint8Array(shared).set(new Uint8Array(sorted.buffer));
  const common = new Uint32Array(new SharedArrayBuffer(4 * rows));
  for (let row = 1; row < rows; row++) {
    const [before, own] = [views[order[row - 1]!]!, views[order[row]!]!];
    let byte = 0;
    while (byte < stride && before[byte] === own[byte]) byte++;
    common[row] = byte === stride ? dimensions : 8 * byte + Math.clz32(before[byte]! ^ own[byte]!) - 24;
  }
  return { matrix: shared, common: common.buffer };
}

export function attachSorted({ matrix, common }: SharedSorted): SortedRows {
  return { matrix: BitMatrix.from(matrix), common: new Uint32Array(common) };
}
