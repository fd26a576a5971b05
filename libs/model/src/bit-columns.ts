import type { BitMatrix } from '@orchard/dataset';

/**
 * Rows as columns of bits, one column for each ordering position: row r of a position is bit `r & 31` of word
 * `words[position * stride + (r >> 5)]`. Evaluators handle 32 rows with each operation on a word. Behind the columns, from
 * word `positions * stride` on, lies the evaluators' scratch, so that their inner loops read and write one array.
 */
export interface BitColumns {
  readonly words: Int32Array;
  /** Words a column: a whole number of blocks. */
  readonly stride: number;
  readonly rows: number;
  readonly positions: number;
}

/** Words of a column that are evaluated together, so that the working set stays in the first-level cache. */
export const BLOCK_WORDS = 32;
export const BLOCK_ROWS = 32 * BLOCK_WORDS;

/** Vectors of one block each behind the columns: all zeros, all ones, and what a tree program needs at most. */
const SCRATCH_VECTORS = 2 + 8 * 256;

/** All zeros; rows are padded to whole blocks. */
export function createBitColumns(rows: number, positions: number): BitColumns {
  const stride = Math.max(1, Math.ceil(rows / BLOCK_ROWS)) * BLOCK_WORDS;
  const words = new Int32Array(positions * stride + SCRATCH_VECTORS * BLOCK_WORDS);
  return { words, stride, rows, positions };
}

/**
 * Row i of the result is row `rowOrder[i]` of the matrix, position p its column `ordering[p]`.
 * O(rows x positions / 8) by transposing 32 rows of one byte at a time.
 */
export function transpose(matrix: BitMatrix, ordering: Uint32Array, rowOrder: Uint32Array): BitColumns {
  const columns = createBitColumns(rowOrder.length, ordering.length);
  const { words, stride } = columns;
  const positionOf = new Uint32Array(ordering.length);
  for (let position = 0; position < ordering.length; position++) positionOf[ordering[position]!] = position;
  const { bytes } = matrix;
  const gathered = new Int32Array(8);
  for (let firstDim = 0; firstDim < ordering.length; firstDim += 8) {
    const dims = Math.min(8, ordering.length - firstDim);
    for (let word = 0; word < Math.ceil(rowOrder.length / 32); word++) {
      const firstRow = word * 32;
      const rows = Math.min(32, rowOrder.length - firstRow);
      gathered.fill(0);
      for (let row = 0; row < rows; row++) {
        const byte = bytes[rowOrder[firstRow + row]! * matrix.stride + (firstDim >> 3)]!;
        if (byte === 0) continue;
        for (let dim = 0; dim < 8; dim++) gathered[dim]! |= ((byte >> (7 - dim)) & 1) << row;
      }
      for (let dim = 0; dim < dims; dim++) words[positionOf[firstDim + dim]! * stride + word] = gathered[dim]!;
    }
  }
  return columns;
}
