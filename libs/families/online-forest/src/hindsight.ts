import { spanningTree } from '@orchard/forests';
import type { OnlineForest } from './online-forest.js';

/**
 * Summed −log P of all rows of a stream under the tree that makes them likeliest, with the likeliest parameters: what
 * the stream's own loss is held against, as regret. O(n² log n), and the counts of all pairs.
 */
export function lossInHindsight({ dimensions, pairs }: OnlineForest): number {
  const alone = Float64Array.from({ length: dimensions }, (_, column) => pairs.entropy(column));
  const { weights } = spanningTree(dimensions, 0, (a, b) => alone[a]! + alone[b]! - pairs.entropy(a, b));
  // the root has no edge
  return alone.reduce((sum, own) => sum + own, 0) - weights.subarray(1).reduce((sum, own) => sum + own, 0);
}
