import type { RandomStream } from '@orchard/numerics';
import { exchangeEdge, hasEdge, nodesBelow, pathBetween, type RootedTree } from './rooted-tree.js';

/** A tree, and its share of a mixture. */
export interface WeightedTree {
  readonly weight: number;
  readonly tree: RootedTree;
}

/**
 * One tree instead of two, in which each edge is, on average, as often as in both by their weights (swap rounding:
 * Chekuri, Vondrák, Zenklusen 2010). While the trees differ, an edge of the first is exchanged for one of the second so
 * that both stay trees, in one of them: in each by the other's weight. O(n) an exchange, at most n of them.
 */
export function mergeTrees(one: WeightedTree, other: WeightedTree, stream: RandomStream): WeightedTree {
  const [a, b] = [one.tree.slice(), other.tree.slice()];
  const weight = one.weight + other.weight;
  const ofOne = one.weight / weight;
  for (let column = 0; column < a.length;) {
    const parent = a[column]!;
    if (hasEdge(b, column, parent)) {
      column++;
      continue;
    }
    // without its edge the first tree falls into two parts; of the second's edges between the same nodes one joins
    // these parts
    const below = nodesBelow(a, column);
    const crossing = pathBetween(b, column, parent).find((node) => below[node] !== below[b[node]!])!;
    if (stream.uniform() < ofOne) {
      const belowCrossing = nodesBelow(b, crossing);
      const [inside, outside] = belowCrossing[column] === 1 ? [column, parent] : [parent, column];
      exchangeEdge(b, inside, outside, crossing);
      column++;
    } else {
      const end = b[crossing]!;
      const [inside, outside] = below[crossing] === 1 ? [crossing, end] : [end, crossing];
      exchangeEdge(a, inside, outside, column);
      // parents on the way have turned round
      column = 0;
    }
  }
  return { weight, tree: a };
}
