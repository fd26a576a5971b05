import type { CountedRows } from '@orchard/dataset';
import type { DensityModel, ModelHead } from '@orchard/model';
import type { BoostedSpecification } from './boosted-run.js';
import { networkLearner } from './network/network-learner.js';
import { treeLearner } from './tree-learner.js';

/** What a round fits to weighted rows, as a model of the round's file. */
export interface WeakLearner {
  /** Of all rows alike, which the rounds begin with. */
  first(head: Omit<ModelHead, 'family'>): DensityModel;
  /**
   * Rows are weighted, and some of all training rows together added.
   *
   * @param weights of each distinct row, none negative
   */
  fit(weights: Float64Array, head: Omit<ModelHead, 'family'>): DensityModel;
  /** 1/2 for each value: the paper's start. */
  uniform(head: Omit<ModelHead, 'family'>): DensityModel;
}

export function weakLearnerOf(train: CountedRows, options: BoostedSpecification): WeakLearner {
  return options.weak === 'network' ? networkLearner(train, options) : treeLearner(train, options);
}
