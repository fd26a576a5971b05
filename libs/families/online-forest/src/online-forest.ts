import { exp, log, Purpose, RandomStream } from '@orchard/numerics';
import { spanningTree } from '@orchard/forests';
import { hasEdge, type RootedTree } from './rooted-tree.js';
import { mergeTrees, type WeightedTree } from './swap-rounding.js';

/** Jeffreys' rule: added to each of a pair's four values. */
export const JEFFREYS = 0.5;

/** All that is known after some rows: what it goes on from. */
export interface OnlineState {
  readonly rows: number;
  /** Summed −log P of each row as it came, nats. */
  readonly loss: number;
  /** Rows in which columns a and b are 1: `counts[a * (a + 1) / 2 + b]`, for b <= a. */
  readonly counts: Uint32Array;
  /**
   * Summed log (P(x_a) P(x_b) / P(x_a, x_b)), each by what was known before the row: as `counts`, the diagonal unused.
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
  readonly #margins: Float64Array;
  #rows: number;
  #loss: number;
  readonly #counts: Uint32Array;
  readonly #losses: Float64Array;
  /** What each edge lost by the row at hand, then perturbed. */
  readonly #edges: Float64Array;
  /** log (k + 1/2) and log (k + 1), of every count k so far. */
  readonly #logs: number[] = [];
  readonly #marginLogs: number[] = [];
  #trees: readonly WeightedTree[];

  constructor(
    readonly dimensions: number,
    private readonly options: OnlineOptions,
    state: OnlineState | null = null,
  ) {
    const pairs = (dimensions * (dimensions + 1)) / 2;
    this.#components = Math.max(1, Math.ceil(log(dimensions)));
    this.#margins = new Float64Array(dimensions);
    this.#edges = new Float64Array(pairs);
    this.#rows = state?.rows ?? 0;
    this.#loss = state?.loss ?? 0;
    this.#counts = state?.counts.slice() ?? new Uint32Array(pairs);
    this.#losses = state?.losses.slice() ?? new Float64Array(pairs);
    // columns on their own
    this.#trees = state?.trees ?? [{ weight: 1, tree: new Int32Array(dimensions).fill(dimensions) }];
  }

  get state(): OnlineState {
    return { rows: this.#rows, loss: this.#loss, counts: this.#counts, losses: this.#losses, trees: this.#trees };
  }

  /**
   * Asks the mixture of a row, then learns it.
   *
   * @param values 0 or 1 of each column
   * @returns −log P of the row before it was learned, nats
   */
  learn(values: Uint8Array): number {
    const loss = this.#lossOf(values);
    this.#loss += loss;
    this.#count(values);
    this.#follow();
    return loss;
  }

  /** −log Σ w_k P_k(row); leaves what each edge loses by it in the sums. */
  #lossOf(values: Uint8Array): number {
    const { dimensions } = this;
    const [counts, losses, edges, margins] = [this.#counts, this.#losses, this.#edges, this.#margins];
    const rows = this.#rows;
    const [logs, marginLogs] = this.#logsUpTo(rows);
    const all = log(rows + 4 * JEFFREYS);
    let alone = 0;
    for (let a = 0; a < dimensions; a++) {
      const ones = counts[(a * (a + 3)) / 2]!;
      margins[a] = marginLogs[values[a] === 1 ? ones : rows - ones]! - all;
      alone += margins[a]!;
    }
    for (let a = 0, at = 0; a < dimensions; a++, at++) {
      const onesA = counts[(a * (a + 3)) / 2]!;
      for (let b = 0; b < a; b++, at++) {
        const onesB = counts[(b * (b + 3)) / 2]!;
        const both = counts[at]!;
        const rest = values[a] === 1 ? onesA - both : rows - onesA - onesB + both;
        const cell = values[b] === 1 ? (values[a] === 1 ? both : onesB - both) : rest;
        const own = margins[a]! + margins[b]! - (logs[cell]! - all);
        edges[at] = own;
        losses[at]! += own;
      }
    }
    // the trees' logarithms differ by edges alone
    let highest = -Infinity;
    const ofTrees = this.#trees.map(({ weight, tree }) => {
      let nats = log(weight);
      for (let column = 0; column < dimensions; column++) {
        const parent = tree[column]!;
        if (parent < dimensions) nats -= edges[placeOf(column, parent)]!;
      }
      highest = Math.max(highest, nats);
      return nats;
    });
    return -(alone + logSum(ofTrees, highest));
  }

  #count(values: Uint8Array): void {
    const counts = this.#counts;
    for (let a = 0; a < this.dimensions; a++) {
      if (values[a] !== 1) continue;
      const line = (a * (a + 1)) / 2;
      for (let b = 0; b <= a; b++) counts[line + b]! += values[b]!;
    }
    this.#rows++;
  }

  /**
   * The perturbed leader joins the mixture, with a weight of 1 − 1 / √t; the two lightest forests become one where
   * there are too many.
   */
  #follow(): void {
    const { dimensions } = this;
    const root = Math.sqrt(this.#rows);
    const stream = new RandomStream(this.options.seed, Purpose.online, this.#rows);
    const [edges, losses] = [this.#edges, this.#losses];
    const scale = this.options.perturbation * root;
    for (let a = 1; a < dimensions; a++)
      for (let b = 0, at = (a * (a + 1)) / 2; b < a; b++, at++)
        edges[at] = losses[at]! + (scale * stream.uint32()) / 2 ** 32;
    const leader = this.#leader();
    const kept = this.#rows === 1 ? 0 : 1 / root;
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

  #logsUpTo(count: number): readonly [readonly number[], readonly number[]] {
    for (let next = this.#logs.length; next <= count; next++) {
      this.#logs.push(log(next + JEFFREYS));
      this.#marginLogs.push(log(next + 2 * JEFFREYS));
    }
    return [this.#logs, this.#marginLogs];
  }
}

function placeOf(a: number, b: number): number {
  return a > b ? (a * (a + 1)) / 2 + b : (b * (b + 1)) / 2 + a;
}

function isSame(one: RootedTree, other: RootedTree): boolean {
  return one.every((parent, column) => hasEdge(other, column, parent));
}

/** log Σ exp(nats). */
function logSum(nats: readonly number[], highest: number): number {
  return highest + log(nats.reduce((sum, own) => sum + exp(own - highest), 0));
}
