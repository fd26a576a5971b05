import { log, logSumExp, Purpose, RandomStream } from '@orchard/numerics';
import { spanningTree } from '@orchard/forests';
import { BitPairs } from './bit-pairs.js';
import { CodePairs } from './code-pairs.js';
import { hasEdge, type RootedTree } from './rooted-tree.js';
import { placeOf, type StreamPairs } from './stream-pairs.js';
import { mergeTrees, type WeightedTree } from './swap-rounding.js';

/** All that is known after some rows: what it goes on from. */
export interface OnlineState {
  readonly rows: number;
  /** Summed −log P of each row as it came, nats. */
  readonly loss: number;
  /** As `BitPairs` has them of columns of 0 and 1, `CodePairs` of others. */
  readonly counts: Uint32Array;
  /**
   * Summed log (P(x_a) P(x_b) / P(x_a, x_b)), each by what was known before the row: by `placeOf`, the diagonal unused.
   */
  readonly losses: Float64Array;
  readonly trees: readonly WeightedTree[];
}

export interface OnlineOptions {
  readonly seed: number;
  /** c of the perturbations, which are uniform from 0 to c √t nats after t rows. */
  readonly perturbation: number;
  /** Spanning trees alone (OFDE_T of the slides), where an edge that loses is taken too. @default forests (OFDE_F) */
  readonly structure?: 'trees' | undefined;
}

/**
 * Online Forest Density Estimation (Koriche, UAI 2016). Each row is first asked of the mixture, then learned: the
 * pairs' probabilities by Jeffreys' rule, and the forest by following the perturbed leader, the forest that would have
 * lost least with random nats added to each edge; it joins the mixture, of which swap rounding keeps k = ⌈ln n⌉
 * forests. O(n² log n) a row.
 */
export class OnlineForest {
  readonly #components: number;
  #loss: number;
  readonly #pairs: StreamPairs;
  readonly #losses: Float64Array;
  /** What each edge lost by the row at hand, then perturbed. */
  readonly #edges: Float64Array;
  #trees: readonly WeightedTree[];

  /** @param sizes how many values each column has; null of columns of 0 and 1 @throws RangeError for too many */
  constructor(
    readonly dimensions: number,
    private readonly options: OnlineOptions,
    state: OnlineState | null = null,
    readonly sizes: ArrayLike<number> | null = null,
  ) {
    const pairs = (dimensions * (dimensions + 1)) / 2;
    this.#components = Math.max(1, Math.ceil(log(dimensions)));
    this.#edges = new Float64Array(pairs);
    this.#loss = state?.loss ?? 0;
    const [rows, counts] = [state?.rows ?? 0, state?.counts.slice() ?? null];
    this.#pairs =
      sizes === null
        ? new BitPairs(dimensions, rows, counts ?? new Uint32Array(pairs))
        : new CodePairs(sizes, rows, counts);
    this.#losses = state?.losses.slice() ?? new Float64Array(pairs);
    // columns on their own
    this.#trees = state?.trees ?? [{ weight: 1, tree: new Int32Array(dimensions).fill(dimensions) }];
  }

  get state(): OnlineState {
    const { rows, counts } = this.#pairs;
    return { rows, loss: this.#loss, counts, losses: this.#losses, trees: this.#trees };
  }

  get pairs(): StreamPairs {
    return this.#pairs;
  }

  /**
   * Asks the mixture of a row, then learns it.
   *
   * @param values of each column: 0 or 1, or the numbers of its values from 0
   * @returns −log P of the row before it was learned, nats
   */
  learn(values: ArrayLike<number>): number {
    const loss = this.#lossOf(values);
    this.#loss += loss;
    this.#pairs.add(values);
    this.#follow();
    return loss;
  }

  /** −log Σ w_k P_k(row); leaves what each edge loses by it in the sums. */
  #lossOf(values: ArrayLike<number>): number {
    const { dimensions } = this;
    const [losses, edges] = [this.#losses, this.#edges];
    const alone = this.#pairs.costs(values, edges);
    for (let a = 0, at = 0; a < dimensions; a++, at++) for (let b = 0; b < a; b++, at++) losses[at]! += edges[at]!;
    // the trees' logarithms differ by edges alone
    const ofTrees = this.#trees.map(({ weight, tree }) => {
      let nats = log(weight);
      for (let column = 0; column < dimensions; column++) {
        const parent = tree[column]!;
        if (parent < dimensions) nats -= edges[placeOf(column, parent)]!;
      }
      return nats;
    });
    return alone - logSumExp(ofTrees);
  }

  /**
   * The perturbed leader joins the mixture, with a weight of 1 − 1 / √t; the two lightest forests become one where
   * there are too many.
   */
  #follow(): void {
    const { dimensions } = this;
    const { rows } = this.#pairs;
    const root = Math.sqrt(rows);
    const stream = new RandomStream(this.options.seed, Purpose.online, rows);
    const [edges, losses] = [this.#edges, this.#losses];
    const scale = this.options.perturbation * root;
    for (let a = 1; a < dimensions; a++)
      for (let b = 0, at = (a * (a + 1)) / 2; b < a; b++, at++)
        edges[at] = losses[at]! + (scale * stream.uint32()) / 2 ** 32;
    const leader = this.#leader();
    const kept = rows === 1 ? 0 : 1 / root;
    let trees = this.#trees
      .map(({ weight, tree }) => ({ weight: weight * kept, tree }))
      .filter(({ weight }) => weight > 0);
    const same = trees.findIndex(({ tree }) => isSame(tree, leader));
    if (same >= 0) trees[same] = { weight: trees[same]!.weight + 1 - kept, tree: trees[same]!.tree };
    else trees.push({ weight: 1 - kept, tree: leader });
    while (trees.length > this.#components) {
      const [one, other] = [...trees].sort((a, b) => a.weight - b.weight) as [WeightedTree, WeightedTree];
      trees = trees.filter((tree) => tree !== one && tree !== other);
      trees.unshift(mergeTrees(one, other, stream));
    }
    this.#trees = trees;
  }

  /** The forest, or the tree, that lost least by the perturbed losses. */
  #leader(): RootedTree {
    const { dimensions } = this;
    const edges = this.#edges;
    if (this.options.structure === 'trees') {
      // all trees hang on the ground by the first column, so that swap rounding makes trees of trees
      const tree = Int32Array.from(spanningTree(dimensions, 0, (a, b) => -edges[placeOf(a, b)]!).parents);
      tree[0] = dimensions;
      return tree;
    }
    // a column hangs on the ground, number n, for nothing: edges that lose are not taken
    const { parents } = spanningTree(dimensions + 1, dimensions, (a, b) =>
      a === dimensions || b === dimensions ? 0 : -edges[placeOf(a, b)]!,
    );
    return Int32Array.from(parents.subarray(0, dimensions));
  }
}

function isSame(one: RootedTree, other: RootedTree): boolean {
  return one.every((parent, column) => hasEdge(other, column, parent));
}
