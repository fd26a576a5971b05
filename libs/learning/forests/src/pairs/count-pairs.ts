import type { BitMatrix } from '@orchard/dataset';
import { PairCounter } from './pair-counter.js';
import type { PairCounts } from './pair-counts.js';

/**
 * How often columns are 1 together. Where that were too much work only every k-th row is looked at: `rows` says how
 * many were.
 *
 * @param mostWords words of 32 rows that may be compared, over all pairs; no limit where nothing is said
 */
export function countPairs(matrix: BitMatrix, mostWords = Infinity): PairCounts {
  const most = 32 * Math.max(1, Math.floor(mostWords / matrix.dimensions ** 2));
  const step = Math.max(1, Math.ceil(matrix.rows / most));
  if (step === 1) return new PairCounter().count(matrix);
  const rows = Uint32Array.from({ length: Math.ceil(matrix.rows / step) }, (_, at) => at * step);
  return new PairCounter().count(matrix, rows);
}
