import { trainingCounts, type Conditional, type Target, type TrainingData } from '@orchard/kernel';
import { prefixOfTrees } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { applyWeights, fitLogisticStart, oddsOf } from './logistic-start.js';
import type { BoostingOptions } from './options.js';
import { startTreesOf } from './rounds.js';
import type { TrainedConditional } from './train.js';
import { treesOf, type Tree } from './trees.js';

/** What the first round goes on from. */
export interface Start {
  /** Of every row. */
  readonly odds: number;
  /** λ of a logistic start; null where there is none. */
  readonly penalty: number | null;
  /** Applies the trees that a logistic start is to a conditional at these odds, and gives them. */
  applyTo(conditional: Conditional): Iterable<Tree>;
}

/**
 * The start that the options ask for. That of a checkpoint is taken from it: the regression is not fitted twice.
 *
 * @throws Refusal `invalid-option` for a logistic start of a decision
 */
export function startOf(
  data: TrainingData,
  target: Target,
  { start, startPenalty }: Pick<BoostingOptions, 'start' | 'startPenalty'>,
  checkpoint: TrainedConditional | undefined,
): Start {
  const constant = (odds: number, penalty: number | null = null): Start => ({ odds, penalty, applyTo: () => [] });
  if (start === 'half') return constant(1);
  if (start === 'base-rate') return constant(baseRate(data, target));
  if (typeof target !== 'number')
    throw new Refusal('invalid-option', {
      got: 'a logistic start of a decision',
      expected: '"half" or "base-rate"',
      where: 'option "start"',
      remedy: 'Logistic starts are of rows of 0 and 1 alone.',
    });
  if (checkpoint !== undefined) {
    const { ensemble, startPenalty: penalty = null } = checkpoint;
    const trees = [...treesOf(prefixOfTrees(ensemble, startTreesOf(checkpoint)))];
    return { odds: ensemble.startOdds, penalty, applyTo: (conditional) => applied(conditional, trees) };
  }
  const { weights, penalty } = fitLogisticStart(data, target, startPenalty);
  if (weights === null) return constant(baseRate(data, target), penalty);
  return { odds: oddsOf(weights.intercept), penalty, applyTo: (conditional) => applyWeights(conditional, weights) };
}

function baseRate(data: TrainingData, target: Target): number {
  const { rows, ones } = trainingCounts(data, target);
  return (ones + 0.5) / (rows - ones + 0.5);
}

function* applied(conditional: Conditional, trees: readonly Tree[]): Generator<Tree> {
  for (const tree of trees) {
    conditional.follow(tree);
    conditional.apply(tree.leafFactor);
    yield tree;
  }
}
