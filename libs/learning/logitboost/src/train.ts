import { leafFactors, predictorsOf, trainingCounts } from '@orchard/kernel';
import type {
  Conditional,
  Decision,
  GrowthOptions,
  Kernel,
  LeafSums,
  LeafValueOptions,
  LogLikelihoods,
  Target,
  TrainingData,
} from '@orchard/kernel';
import { EnsembleBuilder, type Ensemble } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { CurveRecorder, type Curves } from './curves.js';
import { Dropout, dropoutOf, type DropoutOptions } from './dropout.js';
import { drawsOfOne, FeatureSubset, sharedDraws, type FeatureDraws } from './feature-subset.js';
import { NarrowedConditional, seenPredictors } from './narrowed-conditional.js';
import { boostedTrees, roundsOf } from './rounds.js';
import { countTree, trainSingleTree } from './single-tree.js';
import { startOf, type Start } from './start.js';
import { sampleOf } from './row-sample.js';
import { validateOptions, type BoostingOptions } from './options.js';
import type { TrainedConditional } from './trained-conditional.js';
import { treesOf, type Tree } from './trees.js';

/** How to watch a run and stop it. None of this changes what is learned. */
export interface TrainingHooks {
  /** Asked before every round; true stops there and returns what there is. */
  readonly cancelled?: () => boolean;
  /**
   * Called after every round with how many there are, what gives views on the curves so far, and what makes a
   * checkpoint of them: what a run has that is stopped there. Training goes on without anything being replayed.
   */
  readonly onProgress?: (rounds: number, curves: () => Curves, checkpoint: () => TrainedConditional) => void;
  /** An unfinished result of the same data, target and options. Its trees are replayed, not searched again. */
  readonly resumeFrom?: TrainedConditional;
  /** Stop after this round even where more were asked for. */
  readonly untilRound?: number;
}

/**
 * LogitBoost for one dimension (paper §2; what a round computes: how-it-works.md of libs/core/kernel), or one decision
 * of a table's variable: `rounds` trees and their curves. A decision counts the rows that reach it: its base rate and
 * its likelihoods are theirs, and where no training row does, it ends with odds of 1 and no trees. Where those rows
 * agree, no tree has a split.
 *
 * Synchronous: run it in a worker thread where something else must go on. Stopped and resumed any number of times, it
 * gives the same bytes as in one go.
 *
 * `featureFraction` draws by the number of predictors and the round: decisions on the same predictors draw alike. With
 * `maxPredictors` it is a share of those that training looks at.
 *
 * `rowsPerTree` draws by the same and the rows that reach the target.
 *
 * @param data rows with columns in the ordering
 * @param target a position, whose conditional looks only at columns before it, or a decision
 * @throws Refusal `invalid-option`, `invalid-position` for one that does not exist, `invalid-checkpoint` of something
 *   else
 * @throws KernelError `bad-data` for a decision that does not fit the data
 */
export function trainConditional(
  kernel: Kernel,
  data: TrainingData,
  target: Target,
  options: BoostingOptions,
  hooks: TrainingHooks = {},
): TrainedConditional {
  validateOptions(options);
  checkPosition(data, target);
  if (options.pseudoCount !== undefined) return trainSingleTree(kernel, data, target, options, options.pseudoCount);
  const start = startOf(data, target, options, hooks.resumeFrom);
  const seen = seenPredictors(data, target, options);
  const growth = growthOptions(options, start);
  // rows of a constant column are one to the kernel where all trees are searched; those of a start tell them apart
  const growing = start.chance === null && start.penalty === null;
  const narrowed =
    seen === null ? null : new NarrowedConditional(kernel, data, predictorsOf(target), seen, growth, growing, options);
  const conditional = narrowed ?? kernel.conditional(data, target, growth, growing);
  const run = new Run(conditional, data, target, { limit: options.rounds, start, dropout: dropoutOf(options) }, hooks);
  run.replay(hooks.resumeFrom);
  const predictors = seen?.length ?? predictorsOf(target);
  const subset = options.featureFraction < 1 ? drawsOf(target, predictors, options) : null;
  // rows of fewer columns lie in another order
  const sample =
    narrowed === null ? sampleOf(data, target, options) : sampleOf(narrowed.data, narrowed.target, options);
  const isEmpty = typeof target !== 'number' && trainingCounts(data, target).rows === 0;
  const isSpent = (): boolean =>
    isEmpty ||
    (options.patience > 0 && data.validationRows > 0 && run.rounds >= 1.5 * run.bestRound + options.patience);
  const factorsOf = factorsInto(valueOptions(options));
  return run.go(isSpent, () => {
    const tree = conditional.grow(subset?.draw(run.rounds), sample?.draw(run.rounds));
    return factored(tree, factorsOf(tree));
  });
}

/**
 * New leaf values for the structures of `ensemble`, round by round, on pooled rows (paper §4.5). A refit
 * of t trees is the prefix of a refit of more.
 *
 * @param data `pooled()` training data: validation rows count as training rows
 * @throws Refusal as `trainConditional`, and for trees that do not belong to this target
 */
export function refitConditional(
  kernel: Kernel,
  data: TrainingData,
  target: Target,
  ensemble: Ensemble,
  options: BoostingOptions,
  hooks: TrainingHooks = {},
): TrainedConditional {
  validateOptions(options);
  checkPosition(data, target);
  const trees = [...treesOf(ensemble)];
  if (options.pseudoCount !== undefined) return countTree(data, target, trees[0]!, options.pseudoCount);
  const leaves = trees.reduce((most, { splitLeaf }) => Math.max(most, splitLeaf.length + 1), 1);
  const start = startOf(data, target, options, hooks.resumeFrom);
  // the trees of a start have two
  const growth = { ...growthOptions(options, start), leaves: Math.max(leaves, 2) };
  const conditional = kernel.conditional(data, target, growth, false);
  const run = new Run(conditional, data, target, { limit: trees.length, start, dropout: dropoutOf(options) }, hooks);
  run.replay(hooks.resumeFrom);
  const factorsOf = factorsInto(valueOptions(options));
  return run.go(
    () => false,
    () => {
      const tree = trees[run.rounds]!;
      return factored(tree, factorsOf(conditional.follow(tree)));
    },
  );
}

/**
 * The refit of a decision without its likelihoods: where they are not asked for the kernel computes none, and a
 * decision without trees does without it. Its curves are zeros.
 */
export function refitDecision(
  kernel: Kernel,
  data: TrainingData,
  target: Decision,
  ensemble: Ensemble,
  options: BoostingOptions,
  hooks: Omit<TrainingHooks, 'untilRound'> = {},
): TrainedConditional {
  // these weigh trees anew, by what the rows come to
  if (options.pseudoCount !== undefined || options.dropout !== undefined)
    return refitConditional(kernel, data, target, ensemble, options, hooks);
  validateOptions(options);
  const { cancelled, onProgress, resumeFrom } = hooks;
  const start = startOf(data, target, options, undefined);
  const trees = [...treesOf(ensemble)];
  const builder = new EnsembleBuilder(start.odds, resumeFrom?.ensemble);
  const curves = (): Curves => ({ train: new Float64Array(builder.trees + 1), valid: null, test: null });
  const result = (finished: boolean): TrainedConditional => ({
    position: predictorsOf(target),
    curves: curves(),
    ensemble: builder.build(),
    finished,
  });
  if (builder.trees >= trees.length) return result(true);
  const leaves = ensemble.leafCounts.reduce((most, count) => Math.max(most, count), 1);
  const conditional = kernel.conditional(data, target, { ...growthOptions(options, start), leaves }, false);
  if (resumeFrom !== undefined) conditional.replay([...treesOf(resumeFrom.ensemble)]);
  const factorsOf = factorsInto(valueOptions(options));
  const checkpoint = (): TrainedConditional => result(false);
  for (const tree of trees.slice(builder.trees)) {
    if (cancelled?.() === true) return checkpoint();
    const leafFactor = factorsOf(conditional.follow(tree));
    conditional.apply(leafFactor);
    builder.push(factored(tree, leafFactor));
    onProgress?.(builder.trees, curves, checkpoint);
  }
  return result(true);
}

function growthOptions(options: BoostingOptions, { odds }: Start): GrowthOptions {
  const { leaves, minLeafWeight, l2, gradients } = options;
  return { leaves, minLeafWeight, l2, startOdds: odds, gradients };
}

function drawsOf(target: Target, predictors: number, { seed, featureFraction }: BoostingOptions): FeatureDraws {
  const subset = new FeatureSubset(seed, predictors, featureFraction);
  return typeof target === 'number' ? drawsOfOne(subset) : sharedDraws(subset);
}

/** What dropout weighs is not shrunk before. */
function valueOptions(options: BoostingOptions): LeafValueOptions {
  return options.dropout === undefined ? options : { ...options, shrinkage: 1 };
}

/** The factors of a tree's leaves, which are valid until the next tree: small trees take less time than arrays. */
function factorsInto(values: LeafValueOptions): (sums: LeafSums) => Float64Array {
  const room: (Float64Array | undefined)[] = [];
  return (sums) => {
    const leaves = sums.residual.length;
    room[leaves] ??= new Float64Array(leaves);
    return leafFactors(sums, values, room[leaves]);
  };
}

/** Not by spreading, which takes longer than the smallest trees may. */
function factored({ splitLeaf, splitPredictor, splitGain }: Omit<Tree, 'leafFactor'>, leafFactor: Float64Array): Tree {
  return { splitLeaf, splitPredictor, splitGain, leafFactor };
}

/** Decisions are checked by the kernel. */
function checkPosition(data: TrainingData, position: Target): void {
  if (typeof position !== 'number') return;
  if (!Number.isInteger(position) || position < 0 || position >= data.dimensions)
    throw new Refusal('invalid-position', {
      got: `position ${position}`,
      expected: `a whole number from 0 to ${data.dimensions - 1}`,
      remedy: 'Positions count the dimensions in the ordering, from 0.',
    });
}

/** The rounds of one conditional: applies trees, draws the curves, listens to the hooks. */
class Run {
  readonly #builder: EnsembleBuilder;
  readonly #recorder: CurveRecorder;
  readonly #startTrees: number;
  readonly #limit: number;
  /** Null where trees count what they counted first. */
  readonly #dropout: Dropout | null;

  constructor(
    private readonly conditional: Conditional,
    data: TrainingData,
    private readonly target: Target,
    private readonly how: {
      readonly limit: number;
      readonly start: Start;
      readonly dropout: DropoutOptions | null;
    },
    private readonly hooks: TrainingHooks,
  ) {
    const { limit, start, dropout } = how;
    this.#limit = limit;
    this.#builder = new EnsembleBuilder(start.odds);
    const startTrees: Tree[] = [];
    for (const tree of start.applyTo(conditional)) {
      this.#builder.push(tree);
      startTrees.push(tree);
    }
    this.#startTrees = startTrees.length;
    this.#dropout = dropout && new Dropout(conditional, target, dropout, { odds: start.odds, trees: startTrees });
    this.#recorder = new CurveRecorder(limit, { valid: data.validationRows > 0, test: data.testRows > 0 });
    this.#recorder.push(conditional.logLikelihoods());
  }

  get rounds(): number {
    return this.#builder.trees - this.#startTrees;
  }

  get bestRound(): number {
    return this.#recorder.bestRound;
  }

  /** Brings rows and curves to where a checkpoint left them: rows by its trees, curves as they are there. */
  replay(checkpoint: TrainedConditional | undefined): void {
    if (checkpoint === undefined) return;
    const { ensemble, position, curves } = checkpoint;
    const rounds = roundsOf(checkpoint);
    const own = predictorsOf(this.target);
    if (position !== own || ensemble.startOdds !== this.#builder.startOdds || rounds > this.#limit)
      throw new Refusal('invalid-checkpoint', {
        got: `${rounds} rounds of position ${position} from odds ${ensemble.startOdds}`,
        expected: `at most ${this.#limit} rounds of position ${own} from odds ${this.#builder.startOdds}`,
        remedy: 'Continue from a checkpoint of the same run and dimension, or start anew.',
      });
    const trees = [...treesOf(boostedTrees(checkpoint, rounds))];
    if (this.#dropout !== null) {
      for (const tree of trees) {
        this.#dropout.leaveOut();
        this.#take(tree);
      }
      return;
    }
    this.conditional.replay(trees);
    trees.forEach((tree, round) => {
      this.#builder.push(tree);
      this.#recorder.push(pointOf(curves, round + 1));
    });
  }

  go(isSpent: () => boolean, nextTree: () => Tree): TrainedConditional {
    const { cancelled, onProgress, untilRound = Infinity } = this.hooks;
    // rounds are many and may be short: what is not asked for is not made
    const curves = (): Curves => this.#recorder.curves();
    const checkpoint = (): TrainedConditional => this.#result(false);
    let finished = false;
    for (;;) {
      finished = this.rounds >= this.#limit || isSpent();
      if (finished || this.rounds >= untilRound || cancelled?.() === true) break;
      this.#dropout?.leaveOut();
      this.#take(nextTree());
      onProgress?.(this.rounds, curves, checkpoint);
    }
    return this.#result(finished);
  }

  #result(finished: boolean): TrainedConditional {
    const { start, dropout } = this.how;
    return {
      position: predictorsOf(this.target),
      curves: copyOf(this.#recorder.curves()),
      ensemble: this.#builder.build(),
      finished,
      ...(start.penalty !== null && { startPenalty: start.penalty }),
      ...(start.chance !== null && { exclusiveChance: start.chance }),
      ...(dropout !== null && { dropout }),
    };
  }

  #take(tree: Tree): void {
    if (this.#dropout === null) this.conditional.apply(tree.leafFactor);
    else this.#dropout.putBack(tree);
    this.#builder.push(tree);
    this.#recorder.push(this.conditional.logLikelihoods());
  }
}

function pointOf({ train, valid, test }: Curves, round: number): LogLikelihoods {
  return { train: train[round]!, valid: valid?.[round] ?? 0, test: test?.[round] ?? 0 };
}

function copyOf({ train, valid, test }: Curves): Curves {
  return { train: train.slice(), valid: valid?.slice() ?? null, test: test?.slice() ?? null };
}
