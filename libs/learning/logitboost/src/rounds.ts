import { prefixOfTrees, type Ensemble } from '@orchard/model';
import { weightedAfter } from './dropout.js';
import { singleTreeAfter } from './single-tree.js';
import type { TrainedConditional } from './trained-conditional.js';

type Trained = Pick<TrainedConditional, 'position' | 'curves' | 'ensemble' | 'pseudoCount' | 'dropout'>;

/** Rounds of boosting so far, or splits of a single tree. */
export function roundsOf({ curves }: Trained): number {
  return curves.train.length - 1;
}

/** Trees that stand for a start, before those of the rounds. */
export function startTreesOf(trained: Trained): number {
  return trained.pseudoCount === undefined ? trained.ensemble.leafCounts.length - roundsOf(trained) : 0;
}

/**
 * The model that a conditional is after its first `rounds` rounds, start included; views where no tree is weighed anew.
 */
export function ensembleAfter(trained: Trained, rounds: number): Ensemble {
  const trees = treesAfter(trained, rounds);
  const { dropout, position } = trained;
  return dropout === undefined ? trees : weightedAfter(trees, startTreesOf(trained), dropout, position);
}

function treesAfter(trained: Trained, rounds: number): Ensemble {
  return trained.pseudoCount === undefined
    ? prefixOfTrees(trained.ensemble, startTreesOf(trained) + rounds)
    : singleTreeAfter(trained.ensemble, rounds, trained.pseudoCount);
}

/** The trees of the first `rounds` rounds without those of a start: structures for a refit, no model; views. */
export function boostedTrees(trained: Trained, rounds: number): Ensemble {
  const { startOdds, leafCounts, splitLeaf, splitPredictor, splitGain, leafFactor } = treesAfter(trained, rounds);
  const start = startTreesOf(trained);
  let leaves = 0;
  for (let tree = 0; tree < start; tree++) leaves += leafCounts[tree]!;
  return {
    startOdds,
    leafCounts: leafCounts.subarray(start),
    splitLeaf: splitLeaf.subarray(leaves - start),
    splitPredictor: splitPredictor.subarray(leaves - start),
    splitGain: splitGain.subarray(leaves - start),
    leafFactor: leafFactor.subarray(leaves),
  };
}
