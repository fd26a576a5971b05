import { spanningTree } from '@orchard/forests';
import { log, sumOf } from '@orchard/numerics';
import type { OnlineForest } from './online-forest.js';

/**
 * Summed −log P of all rows of a stream under the tree that makes them likeliest, with the likeliest parameters: what
 * the stream's own loss is held against, as regret. O(n² log n), and the counts of all pairs.
 *
 * A forest has only the edges that gain more than 1/2 log t nats per parameter (the BIC's threshold: Tan, Anandkumar
 * and Willsky, 2011, leave the rate of theirs open).
 */
export function lossInHindsight(
  { dimensions, pairs, sizes }: OnlineForest,
  { structure = 'trees' }: { readonly structure?: 'trees' | 'forests' } = {},
): number {
  const alone = Float64Array.from({ length: dimensions }, (_, column) => pairs.entropy(column));
  const freedom = (column: number): number => (sizes === null ? 2 : sizes[column]!) - 1;
  const price = structure === 'trees' ? 0 : log(Math.max(1, pairs.rows)) / 2;
  const priceOf = (a: number, b: number): number => price * freedom(a) * freedom(b);
  const { parents, weights } = spanningTree(
    dimensions,
    0,
    (a, b) => alone[a]! + alone[b]! - pairs.entropy(a, b) - priceOf(a, b),
  );
  let loss = sumOf(alone);
  // the root has no edge
  for (let column = 1; column < dimensions; column++)
    if (structure === 'trees' || weights[column]! > 0) loss -= weights[column]! + priceOf(column, parents[column]!);
  return loss;
}
