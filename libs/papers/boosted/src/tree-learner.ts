import type { CountedRows } from '@orchard/dataset';
import { ForestsOfRows, forestsOfRates, type Forest } from '@orchard/forests';
import { ForestMixture, ForestMixtureModel } from '@orchard/mixture';
import type { ModelHead } from '@orchard/model';
import type { BoostedSpecification } from './boosted-run.js';
import type { WeakLearner } from './weak-learner.js';

/** Trees of Chow and Liu, each a mixture of one. */
export function treeLearner(train: CountedRows, { pseudoCount }: BoostedSpecification): WeakLearner {
  const forests = new ForestsOfRows(train);
  const { dimensions } = train.distinct;
  return {
    first: (head) => modelOf(head, forests.ofAll().forest),
    fit: (weights, head) => modelOf(head, forests.weighted(weights, pseudoCount).forest),
    uniform: (head) => modelOf(head, forestsOfRates(dimensions, new Float64Array(dimensions).fill(0.5))[0]!),
  };
}

function modelOf(head: Omit<ModelHead, 'family'>, forest: Forest): ForestMixtureModel {
  return new ForestMixtureModel(head, new ForestMixture(Float64Array.of(1), [forest]));
}
