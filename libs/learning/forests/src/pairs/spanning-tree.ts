/** Whether the edge (parentA, a) comes before (parentB, b) of the same weight. */
export type EarlierEdge = (parentA: number, a: number, parentB: number, b: number) => boolean;

/** The edge whose lower end is lower, then whose upper end is: the order in which pairs are written down. */
export const byEnds: EarlierEdge = (parentA, a, parentB, b) => {
  const difference = Math.min(parentA, a) - Math.min(parentB, b);
  return difference !== 0 ? difference < 0 : Math.max(parentA, a) < Math.max(parentB, b);
};

/** The edge to the lower column, from whichever was reached first. */
export const byColumn: EarlierEdge = (_, a, __, b) => a < b;

export interface SpanningTree {
  /** Columns as they were reached, the root first: each behind its parent. */
  readonly order: Uint32Array;
  /** Of each column; the root's is itself. */
  readonly parents: Uint32Array;
  /** Of the edge to the parent; 0 of the root. */
  readonly weights: Float64Array;
}

/**
 * The spanning tree of most weight, by Prim's way: O(D²) time, each weight asked for once. Ties by an order of edges
 * give the one tree that Kruskal would find in that order, whatever the root.
 *
 * @param weight of an edge, the same in both directions
 */
export function spanningTree(
  dimensions: number,
  root: number,
  weight: (a: number, b: number) => number,
  isEarlier: EarlierEdge = byEnds,
): SpanningTree {
  const order = new Uint32Array(dimensions);
  const parents = new Uint32Array(dimensions).fill(root);
  const weights = new Float64Array(dimensions).fill(-Infinity);
  const left = Uint32Array.from({ length: dimensions }, (_, column) => column).filter((column) => column !== root);
  let open = left.length;
  let last = root;
  order[0] = root;
  weights[root] = 0;
  for (let reached = 1; reached < dimensions; reached++) {
    let best = -1;
    for (let at = 0; at < open; at++) {
      const column = left[at]!;
      const own = weight(last, column);
      if (own > weights[column]! || (own === weights[column] && isEarlier(last, column, parents[column]!, column))) {
        weights[column] = own;
        parents[column] = last;
      }
      if (best === -1) {
        best = at;
        continue;
      }
      const rival = left[best]!;
      const ahead = weights[column]! - weights[rival]!;
      if (ahead > 0 || (ahead === 0 && isEarlier(parents[column]!, column, parents[rival]!, rival))) best = at;
    }
    last = left[best]!;
    order[reached] = last;
    // the order of those that are left does not matter: every tie is broken by the edges
    left[best] = left[--open]!;
  }
  return { order, parents, weights };
}
