import { log } from '@orchard/numerics';
import type { ClusterTree } from './bisect-rows.js';

/**
 * The templates of the inner nodes of a tree of clusters, on the log-odds scale: each the mean of its two children's,
 * whose contributions are opposite (thesis 2.2; figure 2.2 has the contributions, 2.4 both). What a child adds is its
 * own log-odds less its parent's.
 *
 * @param rates P(1) of column d under component k, a leaf: `rates[k * dimensions + d]`, strictly between 0 and 1
 * @returns log-odds of column d at inner node v: `[v * dimensions + d]`
 */
export function aggregateTemplates(
  rates: Float64Array,
  dimensions: number,
  { children }: Pick<ClusterTree, 'children'>,
): Float64Array {
  const inner = children.length / 2;
  const odds = new Float64Array(inner * dimensions);
  const oddsAt = (child: number, dim: number): number => {
    if (child >= 0) return odds[child * dimensions + dim]!;
    const rate = rates[~child * dimensions + dim]!;
    return log(rate) - log(1 - rate);
  };
  // children have higher numbers than their parents
  for (let node = inner - 1; node >= 0; node--)
    for (let dim = 0; dim < dimensions; dim++)
      odds[node * dimensions + dim] = (oddsAt(children[2 * node]!, dim) + oddsAt(children[2 * node + 1]!, dim)) / 2;
  return odds;
}
