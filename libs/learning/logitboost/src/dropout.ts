import { predictorsOf, type Conditional, type Target, type TreeStructure, type WeightedTree } from '@orchard/kernel';
import type { Ensemble } from '@orchard/model';
import { exp, log, philox4x32, Purpose } from '@orchard/numerics';
import type { BoostingOptions } from './options.js';

/**
 * Dropout of trees: "DART: Dropouts meet Multiple Additive Regression Trees" (Vinayak and Gilad-Bachrach 2015,
 * algorithm 1). Each round leaves out every former tree with a chance of `rate`, and one of them where that leaves out
 * none; a tree is fitted to what the others get wrong. With k trees left out and shrinkage ν the weight of the new tree
 * is ν / (k + ν), and those that were left out come back with k / (k + ν) of theirs: their sum and the new tree do what
 * that sum did alone. This is XGBoost's `normalize_type: tree`, at ν = 1 the paper's 1 / (k + 1) and k / (k + 1). The
 * first tree has weight ν. Start odds and the trees of a logistic start are never left out.
 *
 * A round changes what former trees count, so the first trees of an ensemble are not a model by themselves. What a tree
 * says unweighted is known, though, and which trees a round leaves out is a function of (seed, position, round): what
 * all of them count after any round is known, so that every point of a curve has its model (`weightedAfter`).
 */
export interface DropoutOptions {
  /** Chance of a tree to be left out by a round, in (0, 1). */
  readonly rate: number;
  /** ν. */
  readonly shrinkage: number;
  readonly seed: number;
}

/** Null where the options ask for none. */
export function dropoutOf({ dropout, shrinkage, seed }: BoostingOptions): DropoutOptions | null {
  return dropout === undefined ? null : { rate: dropout, shrinkage, seed };
}

/** Which of the former trees a round leaves out, and what the trees count after it. */
class Weights {
  readonly #weights: number[] = [];
  readonly #block = new Uint32Array(4);

  constructor(
    private readonly options: DropoutOptions,
    private readonly position: number,
  ) {}

  get values(): readonly number[] {
    return this.#weights;
  }

  /** The trees that the next round leaves out, ascending: none of none. */
  draw(): number[] {
    const round = this.#weights.length;
    const drawn: number[] = [];
    for (let tree = 0; tree < round; tree++) if (this.#uniform(round, tree) < this.options.rate) drawn.push(tree);
    // the number after those of the trees
    return drawn.length > 0 || round === 0 ? drawn : [Math.floor(this.#uniform(round, round) * round)];
  }

  /** Adds the round's tree, and weighs those anew that it left out. */
  push(dropped: readonly number[]): void {
    const { shrinkage } = this.options;
    const k = dropped.length;
    for (const tree of dropped) this.#weights[tree]! *= k / (k + shrinkage);
    this.#weights.push(k === 0 ? shrinkage : shrinkage / (k + shrinkage));
  }

  /** In [0, 1): the `at`-th number of a round. */
  #uniform(round: number, at: number): number {
    const lane = at & 3;
    const { seed } = this.options;
    if (lane === 0 || at === round)
      philox4x32(
        this.#block,
        at >>> 2,
        round,
        this.position,
        Purpose.dropout,
        seed % 2 ** 32,
        Math.floor(seed / 2 ** 32),
      );
    return this.#block[lane]! * 2 ** -32;
  }
}

/** A tree of unweighted factors e^γ, with γ as those factors have it. */
interface UnweightedTree extends TreeStructure {
  readonly values: Float64Array;
}

function unweighted({ splitLeaf, splitPredictor, leafFactor }: WeightedTree): UnweightedTree {
  // those of a tree that was just grown are valid until the next one
  return { splitLeaf: splitLeaf.slice(), splitPredictor: splitPredictor.slice(), values: leafFactor.map(log) };
}

/** The tree as it counts with a weight: e^(weight γ), which is as far from 0 and infinity as e^γ. */
function weighted({ splitLeaf, splitPredictor, values }: UnweightedTree, weight: number): WeightedTree {
  return { splitLeaf, splitPredictor, leafFactor: values.map((value) => exp(weight * value)) };
}

/**
 * The ensemble of the first trees with what they count after the last of their rounds.
 *
 * @param ensemble the trees of a start, then one a round with unweighted factors
 * @param startTrees how many are of a start: they stay as they are
 */
export function weightedAfter(
  ensemble: Ensemble,
  startTrees: number,
  options: DropoutOptions,
  position: number,
): Ensemble {
  const { leafCounts } = ensemble;
  const weights = new Weights(options, position);
  for (let tree = startTrees; tree < leafCounts.length; tree++) weights.push(weights.draw());
  const leafFactor = ensemble.leafFactor.slice();
  let leaf = 0;
  leafCounts.forEach((leaves, tree) => {
    const end = leaf + leaves;
    if (tree < startTrees) leaf = end;
    for (; leaf < end; leaf++) leafFactor[leaf] = exp(weights.values[tree - startTrees]! * log(leafFactor[leaf]!));
  });
  return { ...ensemble, leafFactor };
}

/**
 * The log-odds, in nats, from which a product of factors could run into the bounds of the kernel, 2^±900: what is taken
 * out of a product that did cannot be put back.
 */
const SAFE_LOG_ODDS = 600;

/** Every row's odds as far down as they go, then at 1. */
const restart = [0, 2 ** 900].map((factor) => oneLeaf(factor));

function oneLeaf(factor: number): WeightedTree {
  return { splitLeaf: new Uint32Array(0), splitPredictor: new Uint32Array(0), leafFactor: Float64Array.of(factor) };
}

/**
 * The rounds of one conditional whose trees are dropped: takes trees out of the rows' odds before a round and puts them
 * back after it. Of k trees left out a round costs 2k + 1 walks of the rows through a tree beside its own growth.
 */
export class Dropout {
  readonly #weights: Weights;
  readonly #trees: UnweightedTree[] = [];
  readonly #start: readonly WeightedTree[];
  #dropped: readonly number[] = [];
  /** No row's log-odds are farther from 0: grows with the start and what the trees count. */
  #reach: number;

  constructor(
    private readonly conditional: Conditional,
    target: Target,
    options: DropoutOptions,
    { odds, trees }: { readonly odds: number; readonly trees: readonly WeightedTree[] },
  ) {
    this.#weights = new Weights(options, predictorsOf(target));
    this.#start = [...restart, oneLeaf(odds), ...trees];
    this.#reach = Math.abs(log(odds)) + trees.reduce((sum, tree) => sum + reachOf(unweighted(tree)), 0);
  }

  /** Leaves out what the next round leaves out. */
  leaveOut(): void {
    const dropped = this.#weights.draw();
    this.#dropped = dropped;
    if (this.#reach >= SAFE_LOG_ODDS) {
      const isOut = new Set(dropped);
      this.#fromStart((tree) => !isOut.has(tree));
      return;
    }
    const out = dropped.map((tree) => weighted(this.#trees[tree]!, -this.#weights.values[tree]!));
    this.conditional.applyAll(out);
  }

  /** Adds the tree of this round, of unweighted factors, and puts back those that it left out. */
  putBack(factored: WeightedTree): void {
    const tree = unweighted(factored);
    const at = this.#trees.length;
    const wasSafe = this.#reach < SAFE_LOG_ODDS;
    const before = this.#dropped.map((other) => this.#weights.values[other]!);
    this.#weights.push(this.#dropped);
    this.#trees.push(tree);
    const { values } = this.#weights;
    this.#reach += reachOf(tree) * values[at]!;
    this.#dropped.forEach((other, index) => {
      this.#reach -= reachOf(this.#trees[other]!) * (before[index]! - values[other]!);
    });
    if (!wasSafe || this.#reach >= SAFE_LOG_ODDS) this.#fromStart(() => true);
    else
      this.conditional.applyAll([...this.#dropped, at].map((other) => weighted(this.#trees[other]!, values[other]!)));
  }

  /** Every row's odds anew, of the start and of these trees in their order. */
  #fromStart(isIn: (tree: number) => boolean): void {
    const trees = this.#trees.flatMap((tree, at) => (isIn(at) ? [weighted(tree, this.#weights.values[at]!)] : []));
    this.conditional.applyAll([...this.#start, ...trees]);
  }
}

/** The farthest that a tree moves any row's log-odds, unweighted. */
function reachOf({ values }: UnweightedTree): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}
