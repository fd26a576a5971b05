import { leafFactors, predictorsOf, trainingCounts } from '@orchard/kernel';
import type { Conditional, GrowthOptions, Kernel, Target, TrainingData } from '@orchard/kernel';
import { EnsembleBuilder, type Ensemble } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { CurveRecorder, type Curves } from './curves.js';
import { FeatureSubset } from './feature-subset.js';
import { validateOptions, type BoostingOptions } from './options.js';
import { treesOf, type Tree } from './trees.js';

/** The ensemble of one target and how its likelihoods rose. Unfinished, it is a checkpoint from which training goes on. */
export interface TrainedConditional {
  /** How many columns it may look at: for a column as target its 0-based place in the ordering, for a decision `predictors`. */
  readonly position: number;
  /** One point more than there are trees. */
  readonly curves: Curves;
  readonly ensemble: Ensemble;
  /** False where training was stopped before its last round (cancelled, or `untilRound`). */
  readonly finished: boolean;
}

/** How to watch a run and stop it. None of this changes what is learned. */
export interface TrainingHooks {
  /** Asked before every round; true stops there and returns what there is. */
  readonly cancelled?: () => boolean;
  /** Told after every round how many there are, with views on the curves so far. */
  readonly onProgress?: (rounds: number, curves: Curves) => void;
  /** An unfinished result of the same data, target and options. Its trees are replayed, not searched again. */
  readonly resumeFrom?: TrainedConditional;
  /** Stop after this round even where more were asked for. */
  readonly untilRound?: number;
}

/**
 * LogitBoost for one dimension (paper §2; lbarn.md, "One conditional"), or one decision of a table's variable: `rounds`
 * trees and their curves. A decision counts the rows that reach it: its base rate and its likelihoods are theirs, and
 * where no training row does, it ends with odds of 1 and no trees. Where those rows agree, no tree has a split.
 *
 * Synchronous: run it in a worker thread where something else must go on. Stopped and resumed any number of times, it
 * gives the same bytes as in one go.
 *
 * `featureFraction` draws by the number of predictors and the round: decisions on the same predictors draw alike.
 *
 * @param data rows with columns in the ordering
 * @param target a position, whose conditional looks only at columns before it, or a decision
 * @throws Refusal `invalid-option`, `invalid-position` for one that does not exist, `invalid-checkpoint` of something else
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
  const growth = growthOptions(data, target, options);
  const conditional = kernel.conditional(data, target, growth, true);
  const run = new Run(conditional, data, predictorsOf(target), options.rounds, growth.startOdds, hooks);
  run.replay(hooks.resumeFrom);
  const subset =
    options.featureFraction < 1 ? new FeatureSubset(options.seed, predictorsOf(target), options.featureFraction) : null;
  const isEmpty = typeof target !== 'number' && trainingCounts(data, target).rows === 0;
  const isSpent = (): boolean =>
    isEmpty ||
    (options.patience > 0 && data.validationRows > 0 && run.rounds >= 1.5 * run.bestRound + options.patience);
  return run.go(isSpent, () => {
    const tree = conditional.grow(subset?.draw(run.rounds));
    return factored(tree, leafFactors(tree, options));
  });
}

/**
 * New leaf values for the structures of `ensemble`, round by round, on pooled rows (paper §4.5; lbarn.md, "Refit"). A refit
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
  const leaves = trees.reduce((most, { splitLeaf }) => Math.max(most, splitLeaf.length + 1), 1);
  const growth = { ...growthOptions(data, target, options), leaves };
  const conditional = kernel.conditional(data, target, growth, false);
  const run = new Run(conditional, data, predictorsOf(target), trees.length, growth.startOdds, hooks);
  run.replay(hooks.resumeFrom);
  return run.go(
    () => false,
    () => {
      const tree = trees[run.rounds]!;
      return factored(tree, leafFactors(conditional.follow(tree), options));
    },
  );
}

function growthOptions(data: TrainingData, target: Target, options: BoostingOptions): GrowthOptions {
  const { leaves, minLeafWeight, l2, start } = options;
  if (start === 'half') return { leaves, minLeafWeight, l2, startOdds: 1 };
  const { rows, ones } = trainingCounts(data, target);
  return { leaves, minLeafWeight, l2, startOdds: (ones + 0.5) / (rows - ones + 0.5) };
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

  constructor(
    private readonly conditional: Conditional,
    data: TrainingData,
    private readonly position: number,
    private readonly limit: number,
    startOdds: number,
    private readonly hooks: TrainingHooks,
  ) {
    this.#builder = new EnsembleBuilder(startOdds);
    this.#recorder = new CurveRecorder(limit, { valid: data.validationRows > 0, test: data.testRows > 0 });
    this.#recorder.push(conditional.logLikelihoods());
  }

  get rounds(): number {
    return this.#builder.trees;
  }

  get bestRound(): number {
    return this.#recorder.bestRound;
  }

  /** Brings rows and curves to where a checkpoint left them, from its trees alone. */
  replay(checkpoint: TrainedConditional | undefined): void {
    if (checkpoint === undefined) return;
    const { ensemble, position } = checkpoint;
    if (
      position !== this.position ||
      ensemble.startOdds !== this.#builder.startOdds ||
      ensemble.leafCounts.length > this.limit
    )
      throw new Refusal('invalid-checkpoint', {
        got: `${ensemble.leafCounts.length} rounds of position ${position} from odds ${ensemble.startOdds}`,
        expected: `at most ${this.limit} rounds of position ${this.position} from odds ${this.#builder.startOdds}`,
        remedy: 'Go on with a checkpoint of the same run and dimension, or start anew.',
      });
    for (const tree of treesOf(ensemble)) {
      this.conditional.follow(tree);
      this.#take(tree);
    }
  }

  go(isSpent: () => boolean, nextTree: () => Tree): TrainedConditional {
    const { cancelled, onProgress, untilRound = Infinity } = this.hooks;
    let finished = false;
    for (;;) {
      finished = this.rounds >= this.limit || isSpent();
      if (finished || this.rounds >= untilRound || cancelled?.() === true) break;
      this.#take(nextTree());
      onProgress?.(this.rounds, this.#recorder.curves());
    }
    return {
      position: this.position,
      curves: copyOf(this.#recorder.curves()),
      ensemble: this.#builder.build(),
      finished,
    };
  }

  #take(tree: Tree): void {
    this.conditional.apply(tree.leafFactor);
    this.#builder.push(tree);
    this.#recorder.push(this.conditional.logLikelihoods());
  }
}

function copyOf({ train, valid, test }: Curves): Curves {
  return { train: train.slice(), valid: valid?.slice() ?? null, test: test?.slice() ?? null };
}
