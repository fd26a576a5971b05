import type { BitMatrix } from '@orchard/dataset';

/** The training row nearest to a row in Hamming distance, the first among equals. */
export interface NearestRow {
  readonly row: number;
  /** Number of dimensions in which the two differ. */
  readonly distance: number;
}

/**
 * For every row of `rows` its nearest row of `training`; both of the same dimensions. O(rows x training x D / 32), with
 * the bits compared by words and a row left as soon as it is no better than the best.
 */
export function nearestRows(rows: BitMatrix, training: BitMatrix): NearestRow[] {
  const words = Math.ceil(rows.dimensions / 32);
  const wanted = wordsOf(rows);
  const known = wordsOf(training);
  const [wantedStride, knownStride] = [rows.stride / 4, training.stride / 4];
  return Array.from({ length: rows.rows }, (_, at) => {
    let best = { row: 0, distance: Infinity };
    for (let row = 0; row < training.rows; row++) {
      let distance = 0;
      const from = row * knownStride;
      for (let word = 0; word < words && distance < best.distance; word++) {
        distance += ones(wanted[at * wantedStride + word]! ^ known[from + word]!);
      }
      if (distance < best.distance) best = { row, distance };
    }
    return best;
  });
}

/** Equal byte order on both sides is all a distance needs. */
function wordsOf(matrix: BitMatrix): Uint32Array {
  const bytes = matrix.bytes;
  if (bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Uint32Array(bytes.slice().buffer);
}

/** Population count of 32 bits. */
function ones(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
