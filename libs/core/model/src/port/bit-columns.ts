/**
 * Rows as columns of bits, one column for each ordering position: row r of a position is bit `r & 31` of word
 * `words[position * stride + (r >> 5)]`.
 */
export interface BitColumns {
  readonly words: Int32Array;
  /** Words from one column to the next. */
  readonly stride: number;
  readonly rows: number;
  readonly positions: number;
}

/** Rows that the evaluator's loops take at a time. */
const LANES = 512;

/** Rows padded to what the evaluator's loops take. */
export function paddedRows(rows: number): number {
  return Math.ceil(rows / LANES) * LANES;
}

/**
 * Words from one column to the next: an odd number of cache lines, so that columns do not compete for few places of a
 * cache.
 */
export function columnStride(rows: number): number {
  const lines = Math.max(1, paddedRows(rows) / LANES);
  return 16 * (lines | 1);
}
