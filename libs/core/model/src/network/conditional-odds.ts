import type { BitMatrix } from '@orchard/dataset';
import type { Ensemble } from './ensemble.js';
import type { Evaluator } from './evaluator.js';
import { groupPrefixes } from './prefix-groups.js';

/** The conditionals of a network, and what asks them. */
export interface Conditionals {
  readonly evaluator: Evaluator;
  /** Of each position. */
  readonly ensembles: readonly Ensemble[];
  /** The stored column at each position. */
  readonly ordering: Uint32Array;
}

/** Bytes of bit columns that are worked on at a time; results do not depend on it. */
const CHUNK_BYTES = 16 * 2 ** 20;
const MOST_CHUNK_ROWS = 65_536;

/** Rows to handle at a time, a multiple of 1,024. */
export function chunkRows(dimensions: number): number {
  const rows = Math.min(MOST_CHUNK_ROWS, Math.floor((8 * CHUNK_BYTES) / dimensions));
  return Math.max(1, Math.floor(rows / 1024)) * 1024;
}

/**
 * Visits the odds of a 1 of every row under every conditional, chunk by chunk of rows and in the order of the positions
 * within a chunk: `visit(position, firstRow, odds)` where `odds[i]` belongs to row `firstRow + i`; the array is used
 * again for the next visit.
 */
export function visitOdds(
  { evaluator, ensembles, ordering }: Conditionals,
  matrix: BitMatrix,
  visit: (position: number, firstRow: number, odds: Float64Array) => void,
): void {
  const permuted = ordering.every((column, position) => column === position) ? matrix : matrix.selectColumns(ordering);
  const size = Math.min(matrix.rows, chunkRows(matrix.dimensions));
  const distinctOdds = new Float64Array(size);
  const odds = new Float64Array(size);
  const representative = new Uint32Array(size);
  for (let firstRow = 0; firstRow < matrix.rows; firstRow += size) {
    const rows = Math.min(size, matrix.rows - firstRow);
    const groups = groupPrefixes(permuted, firstRow, rows);
    const columns = evaluator.transposed(matrix, ordering, firstRow, rows, groups.order);
    for (let position = 0; position < ordering.length; position++) {
      evaluator.odds(ensembles[position]!, columns, groups.distinct[position]!, distinctOdds);
      groups.representatives(position, representative);
      for (let row = 0; row < rows; row++) odds[row] = distinctOdds[representative[row]!]!;
      visit(position, firstRow, rows === size ? odds : odds.subarray(0, rows));
    }
  }
}

/** Visits the odds of a 1 of every row under the conditional at `position`, chunk by chunk: `visit(firstRow, odds)`. */
export function visitOddsAt(
  { evaluator, ensembles, ordering }: Conditionals,
  position: number,
  matrix: BitMatrix,
  visit: (firstRow: number, odds: Float64Array) => void,
): void {
  const size = Math.min(matrix.rows, chunkRows(matrix.dimensions));
  const odds = new Float64Array(size);
  const order = new Uint32Array(size);
  for (let row = 0; row < size; row++) order[row] = row;
  for (let firstRow = 0; firstRow < matrix.rows; firstRow += size) {
    const rows = Math.min(size, matrix.rows - firstRow);
    const columns = evaluator.transposed(matrix, ordering, firstRow, rows, order.subarray(0, rows), position);
    evaluator.odds(ensembles[position]!, columns, rows, odds);
    visit(firstRow, odds.subarray(0, rows));
  }
}
