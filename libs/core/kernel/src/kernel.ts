import type { Target } from './target.js';
import type { TrainingData } from './training-data.js';

/**
 * The splits of one tree, in the order in which they were made: split `i` replaces leaf `splitLeaf[i]` by its rows with
 * predictor 0 (which keep the number) and those with predictor 1 (which become leaf `i + 1`).
 */
export interface TreeStructure {
  readonly splitLeaf: Uint32Array;
  /** Ordering positions, below the target's own or the number of a decision's predictors. */
  readonly splitPredictor: Uint32Array;
}

/** A tree with what each of its leaves multiplies the odds by. */
export interface WeightedTree extends TreeStructure {
  readonly leafFactor: Float64Array;
}

/**
 * Sums over the training rows of each leaf: residuals S and weights W (how-it-works.md, step 2). Exact multiples of the
 * grid.
 */
export interface LeafSums {
  readonly residual: Float64Array;
  readonly weight: Float64Array;
}

export interface GrownTree extends TreeStructure, LeafSums {
  /** Paper eq. 3, per split. */
  readonly splitGain: Float64Array;
}

/** Summed nats; a split without rows has 0. */
export interface LogLikelihoods {
  readonly train: number;
  readonly valid: number;
  readonly test: number;
}

export interface GrowthOptions {
  /** Most leaves a tree may have, >= 1. */
  readonly leaves: number;
  /** Least summed weight W of a leaf; 0 = any above 0. */
  readonly minLeafWeight: number;
  /** λ in `S² / (W + λ)`; 0 = none. */
  readonly l2: number;
  /** Odds of every row before the first tree. */
  readonly startOdds: number;
  /**
   * `first`: the gain of a split is `S0²/n0 + S1²/n1 − S²/n`, n the rows of a node, as in gradient boosting (Friedman
   * 2001, "Greedy function approximation", algorithm 5, whose trees are fitted to residuals by least squares): where
   * the search looks at W it looks at n, for `minLeafWeight` and `l2` too. The sums of a grown tree's leaves are S and
   * W all the same.
   *
   * @default 'newton': W, as how-it-works.md has it
   */
  readonly gradients?: 'newton' | 'first' | undefined;
}

/**
 * One LogitBoost run of one conditional. Each round is either `grow` (search) or `follow` (a given structure), then
 * `apply` with an odds factor per leaf.
 */
export interface Conditional {
  /**
   * Grows a tree best-first; `allowed[j] = 0` forbids predictor `j`, all are allowed without it. What it gives is
   * valid until the next tree: rounds are many, and some take less time than arrays of their own would.
   *
   * @param rows sorted training rows that reach the target, each at most once: the tree grows on these alone, and its
   *   leaves' sums are theirs; without it on all. No more than the data were arranged for
   */
  grow(allowed?: Uint8Array, rows?: Uint32Array): GrownTree;
  /** Sorts the rows into the leaves of a given tree. The sums are valid until the next one. */
  follow(structure: TreeStructure): LeafSums;
  /** Multiplies the odds of each leaf's rows of the last tree, keeping them within 2^±900. */
  apply(factors: Float64Array): void;
  /**
   * Multiplies the odds by the factors of one given tree after another, each time within the same bounds; gradients and
   * likelihoods are computed once, after the last. For those who change what former trees count (dropout of trees).
   */
  applyAll(trees: readonly WeightedTree[]): void;
  /**
   * Multiplies the odds by the factors of trees that were the first rounds: what comes next is what would have come
   * after them, to the bit. Gradients and likelihoods are computed once, after the last, so that to go on from a
   * checkpoint takes a fraction of the time of those rounds.
   */
  replay(trees: readonly WeightedTree[]): void;
  /** At the present odds. */
  logLikelihoods(): LogLikelihoods;
}

/** The engine of tree growth. Every kernel gives the same trees and sums bit for bit, and curves equal to 1e-12. */
export interface Kernel {
  readonly kind: 'wasm' | 'reference';
  /**
   * Makes the conditional of `target` current: of the column at that position (0-based, in the ordering), or of a
   * decision. A kernel instance holds one conditional per `data` view at a time: the former one is void.
   *
   * The grid of exact sums is that of all training rows, of which as many or fewer reach a decision: the sums of all
   * decisions of a data set are multiples of one unit, and training does not depend on how many rows get how far.
   *
   * @param growing true when all trees are searched, false when some are given (a refit, a start)
   * @throws KernelError `bad-data` where a decision does not fit the data
   */
  conditional(data: TrainingData, target: Target, options: GrowthOptions, growing: boolean): Conditional;
}
