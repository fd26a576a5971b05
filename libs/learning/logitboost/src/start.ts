import { trainingCounts, type Conditional, type Target, type TrainingData } from '@orchard/kernel';
import { prefixOfTrees } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { exclusiveStart } from './exclusive-start.js';
import { applyWeights, fitLogisticStart, oddsOf } from './logistic-start.js';
import type { BoostingOptions } from './options.js';
import { startTreesOf } from './rounds.js';
import type { TrainedConditional } from './trained-conditional.js';
import { treesOf, type Tree } from './trees.js';

/** What the first round goes on from. */
export interface Start {
  /** Of every row. */
  readonly odds: number;
  /** λ of a logistic start; null where there is none. */
  readonly penalty: number | null;
  /**
   * Of a start by exclusive columns, the chance that a value is another than its group says; null where there is none.
   */
  readonly chance: number | null;
  /** Applies the trees that the start is to a conditional at these odds, and gives them. */
  applyTo(conditional: Conditional): Iterable<Tree>;
}

/**
 * The start that the options ask for. A logistic one of a checkpoint is taken from it: the regression is not fitted
 * twice.
 *
 * @throws Refusal `invalid-option` for a logistic start of a decision, or one by exclusive columns
 */
export function startOf(
  data: TrainingData,
  target: Target,
  { start, startPenalty, exclusive }: Pick<BoostingOptions, 'start' | 'startPenalty' | 'exclusive'>,
  checkpoint: TrainedConditional | undefined,
): Start {
  const constant = (odds: number, penalty: number | null = null): Start => ({
    odds,
    penalty,
    chance: null,
    applyTo: () => [],
  });
  if (typeof target !== 'number' && (start === 'logistic' || exclusive !== undefined))
    throw new Refusal('invalid-option', {
      got: `${start === 'logistic' ? 'a logistic start' : 'groups of exclusive columns'} of a decision`,
      expected: '"half" or "base-rate"',
      where: `option "${start === 'logistic' ? 'start' : 'exclusive'}"`,
      remedy: 'They are of rows of 0 and 1 alone.',
    });
  if (typeof target === 'number' && exclusive !== undefined) {
    const told = exclusiveStart(data, target, exclusive, (counts) => (start === 'half' ? 1 : oddsAmong(counts)));
    if (told !== null) {
      const { odds, chance, trees } = told;
      return { odds, penalty: null, chance, applyTo: (conditional) => applied(conditional, trees) };
    }
  }
  // the kernel has those of each row; trees multiply them
  if (typeof target !== 'number' && target.startOdds !== undefined) return constant(1);
  if (start === 'half') return constant(1);
  if (start === 'base-rate' || typeof target !== 'number') return constant(baseRate(data, target));
  if (checkpoint !== undefined) {
    const { ensemble, startPenalty: penalty = null } = checkpoint;
    const trees = [...treesOf(prefixOfTrees(ensemble, startTreesOf(checkpoint)))];
    return { odds: ensemble.startOdds, penalty, chance: null, applyTo: (conditional) => applied(conditional, trees) };
  }
  const { weights, penalty } = fitLogisticStart(data, target, startPenalty);
  if (weights === null) return constant(baseRate(data, target), penalty);
  return {
    odds: oddsOf(weights.intercept),
    penalty,
    chance: null,
    applyTo: (conditional) => applyWeights(conditional, weights),
  };
}

/** Odds of the training rows that reach a target, half a row of each label added. */
export function baseRate(data: TrainingData, target: Target): number {
  return oddsAmong(trainingCounts(data, target));
}

function oddsAmong({ rows, ones }: { readonly rows: number; readonly ones: number }): number {
  return (ones + 0.5) / (rows - ones + 0.5);
}

function* applied(conditional: Conditional, trees: readonly Tree[]): Generator<Tree> {
  for (const tree of trees) {
    conditional.follow(tree);
    conditional.apply(tree.leafFactor);
    yield tree;
  }
}
