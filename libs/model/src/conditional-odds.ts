import type { BitMatrix } from '@orchard/dataset';
import { BLOCK_ROWS, transpose } from './bit-columns.js';
import type { Ensemble } from './ensemble.js';
import { Evaluator } from './evaluator.js';
import { groupPrefixes } from './prefix-groups.js';

/** Bytes of bit columns that are worked on at a time; results do not depend on it. */
const CHUNK_BYTES = 16 * 2 ** 20;
const MOST_CHUNK_ROWS = 65_536;

/** Rows to handle at a time, a whole number of blocks. */
export function chunkRows(dimensions: number): number {
  const rows = Math.min(MOST_CHUNK_ROWS, Math.floor((8 * CHUNK_BYTES) / dimensions));
  return Math.max(1, Math.floor(rows / BLOCK_ROWS)) * BLOCK_ROWS;
}

/**
 * Visits the odds of a 1 of every row under the conditionals at `positions`, chunk by chunk of rows and in the order of
 * `positions` within a chunk: `visit(position, firstRow, odds)` where `odds[i]` belongs to row `firstRow + i`; the array
 * is used again for the next visit.
 */
export function visitOdds(
  ensembles: readonly Ensemble[],
  ordering: Uint32Array,
  matrix: BitMatrix,
  positions: Iterable<number>,
  visit: (position: number, firstRow: number, odds: Float64Array) => void,
): void {
  const evaluator = new Evaluator();
  const permuted = ordering.every((column, position) => column === position) ? matrix : matrix.selectColumns(ordering);
  const natural = Uint32Array.from(ordering, (_, position) => position);
  const size = Math.min(matrix.rows, chunkRows(matrix.dimensions));
  const distinctOdds = new Float64Array(size);
  const odds = new Float64Array(size);
  const representative = new Uint32Array(size);
  for (let firstRow = 0; firstRow < matrix.rows; firstRow += size) {
    const rows = Math.min(size, matrix.rows - firstRow);
    const groups = groupPrefixes(permuted, firstRow, rows);
    const columns = transpose(permuted, natural, groups.order);
    for (const position of positions) {
      evaluator.odds(ensembles[position]!, columns, groups.distinct[position]!, distinctOdds);
      groups.representatives(position, representative);
      for (let row = 0; row < rows; row++) odds[row] = distinctOdds[representative[row]!]!;
      visit(position, firstRow, rows === size ? odds : odds.subarray(0, rows));
    }
  }
}
