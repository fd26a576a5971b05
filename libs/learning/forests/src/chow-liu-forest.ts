import { log } from '@orchard/numerics';
import { spanningTree } from './pairs/spanning-tree.js';
import type { PairProbabilities } from './pairs/pair-probabilities.js';
import type { SmoothedPairs } from './pairs/smoothed-pairs.js';
import { Forest } from './forest.js';

/** A forest of Chow and Liu and the mutual information of its edges. */
export interface ChowLiuForest {
  readonly forest: Forest;
  /** I(column; its parent) in nats by place; 0 of roots. */
  readonly information: Float64Array;
}

/**
 * The tree of most likelihood (Chow and Liu, 1968): that of most mutual information, ties to the earlier edge; each
 * column given its parent by the counts. All pairs of columns are looked at once.
 *
 * @param columns those that it is of, ascending: the first is the root
 * @param names what the forest calls them
 */
export function chowLiuForest(pairs: PairProbabilities, columns: Uint32Array, names = columns): ChowLiuForest {
  const tree = spanningTree(columns.length, 0, (a, b) => pairs.information(columns[a]!, columns[b]!));
  const parents = new Int32Array(tree.parents);
  if (parents.length > 0) parents[0] = -1;
  return { forest: forestOf(pairs, columns, parents, names), information: tree.weights };
}

/** The columns on their own. */
export function productForest(pairs: PairProbabilities, columns: Uint32Array, names = columns): ChowLiuForest {
  const parents = new Int32Array(columns.length).fill(-1);
  return { forest: forestOf(pairs, columns, parents, names), information: new Float64Array(columns.length) };
}

/** Each column given its parent, by the counts. */
export function forestOf(pairs: PairProbabilities, columns: Uint32Array, parents: Int32Array, names = columns): Forest {
  const rates = new Float64Array(2 * columns.length);
  for (let place = 0; place < columns.length; place++) {
    const column = columns[place]!;
    const parent = parents[place]!;
    rates[2 * place] = parent < 0 ? pairs.rate(column) : pairs.rateGiven(column, columns[parent]!, 0);
    rates[2 * place + 1] = parent < 0 ? rates[2 * place]! : pairs.rateGiven(column, columns[parent]!, 1);
  }
  return new Forest(names, parents, rates);
}

/** Which edges of a tree are kept, and the information of the weakest of them; Infinity where none is. */
export interface KeptEdges {
  readonly parents: Int32Array;
  readonly threshold: number;
}

/**
 * The forest of Tan, Anandkumar and Willsky (2011): edges whose mutual information is below a threshold are cut, the
 * threshold chosen among the edges' own by the likelihood of validation rows; of equally likely forests the one of
 * fewest edges.
 *
 * An edge adds Σ n_ij log P(j | i) / P(j) over the validation rows, n_ij their counts, so that all thresholds are tried
 * in one go.
 *
 * @param valid the validation rows' counts
 */
export function chooseEdges(
  { forest, information }: ChowLiuForest,
  pairs: SmoothedPairs,
  valid: SmoothedPairs['counts'],
): KeptEdges {
  const { columns, parents, rates } = forest;
  const edges = Array.from(columns.keys())
    .filter((place) => parents[place]! >= 0)
    .sort((a, b) => information[b]! - information[a]! || a - b);
  let gain = 0;
  let best = 0;
  let kept = 0;
  edges.forEach((place, at) => {
    const [column, parent] = [columns[place]!, columns[parents[place]!]!];
    const both = valid.together(column, parent);
    const [ones, others] = [valid.together(column, column), valid.together(parent, parent)];
    const alone = pairs.rate(column);
    const cells = [
      [valid.rows - ones - others + both, 1 - rates[2 * place]!, 1 - alone],
      [ones - both, rates[2 * place]!, alone],
      [others - both, 1 - rates[2 * place + 1]!, 1 - alone],
      [both, rates[2 * place + 1]!, alone],
    ] as const;
    for (const [rows, given, margin] of cells) gain += rows * (log(given) - log(margin));
    // edges of equal mutual information are kept or cut together
    const isLast = at + 1 === edges.length || information[edges[at + 1]!]! < information[place]!;
    if (!isLast || !(gain > best)) return;
    best = gain;
    kept = at + 1;
  });
  const isKept = new Set(edges.slice(0, kept));
  return {
    parents: parents.map((parent, place) => (isKept.has(place) ? parent : -1)),
    threshold: kept === 0 ? Infinity : information[edges[kept - 1]!]!,
  };
}
