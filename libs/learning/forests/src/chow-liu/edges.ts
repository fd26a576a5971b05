import type { ModelSummary } from '@orchard/model';

/** The edges of a forest and their mutual information. */
interface Edges {
  /** Of each column, -1 of a root. */
  readonly parents: Int32Array;
  /** Of the edge to the parent, in nats. */
  readonly information: Float64Array;
}

export function edgesOf(parents: Int32Array): number {
  return parents.reduce((sum, parent) => sum + (parent < 0 ? 0 : 1), 0);
}

/** What a model that is one forest is made of. @param more facts of its kind, entropy among them */
export function summaryOfForest(
  { dimensions, parents, information }: Edges & Pick<ModelSummary, 'dimensions'>,
  columns: 'columns' | 'variables',
  more: ModelSummary['facts'],
): ModelSummary {
  const edges = edgesOf(parents);
  const trees = parents.length - edges;
  const nats = information.reduce((sum, own, column) => sum + (parents[column]! < 0 ? 0 : own), 0);
  const kind = trees === 1 ? `one tree of ${columns}` : `a forest of ${String(trees)} trees of ${columns}`;
  return {
    dimensions,
    facts: [
      ['model', `${kind} (Chow-Liu)`],
      ['edges', `${String(edges)}, which tell ${nats.toFixed(3)} nats per row`],
      ...more,
      ['answers', 'exactly: likelihoods, marginals, conditionals, completions, most probable completions'],
    ],
  };
}

/** The neighbours' shares in the mutual information of a column's edges. */
export function neighboursShares({ parents, information }: Edges, column: number): Float64Array {
  const shares = new Float64Array(parents.length);
  parents.forEach((parent, child) => {
    if (parent < 0) return;
    if (child === column) shares[parent]! += information[child]!;
    if (parent === column) shares[child]! += information[child]!;
  });
  const total = shares.reduce((sum, share) => sum + share, 0);
  return total > 0 ? shares.map((share) => share / total) : shares;
}

/** Columns without an edge, ascending. */
export function irrelevantIn(parents: Int32Array): Uint32Array {
  const isJoined = new Uint8Array(parents.length);
  parents.forEach((parent, column) => {
    if (parent >= 0) {
      isJoined[parent] = 1;
      isJoined[column] = 1;
    }
  });
  return Uint32Array.from(isJoined.keys()).filter((column) => isJoined[column] === 0);
}
