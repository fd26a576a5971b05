import { spanningTree } from '@orchard/forests';
import { log } from '@orchard/numerics';
import type { OnlineForest } from './online-forest.js';

/**
 * Summed −log P of all rows of a stream under the tree that makes them likeliest, with the likeliest parameters: what
 * the stream's own loss is held against, as regret. O(n² log n).
 */
export function lossInHindsight({ dimensions, state: { rows, counts } }: OnlineForest): number {
  const count = (a: number, b: number): number =>
    a > b ? counts[(a * (a + 1)) / 2 + b]! : counts[(b * (b + 1)) / 2 + a]!;
  const entropy = (cells: readonly number[]): number =>
    cells.reduce((sum, cell) => (cell > 0 ? sum - cell * log(cell / rows) : sum), 0);
  const alone = Float64Array.from({ length: dimensions }, (_, a) => entropy([count(a, a), rows - count(a, a)]));
  const { weights } = spanningTree(dimensions, 0, (a, b) => {
    const both = count(a, b);
    const [onesA, onesB] = [count(a, a), count(b, b)];
    return alone[a]! + alone[b]! - entropy([both, onesA - both, onesB - both, rows - onesA - onesB + both]);
  });
  // the root has no edge
  return alone.reduce((sum, own) => sum + own, 0) - weights.subarray(1).reduce((sum, own) => sum + own, 0);
}
