import type { CountedSplits } from '@orchard/dataset';
import type { DensityModel, ModelHead } from '@orchard/model';
import type { BoostedSpecification } from './boosted-run.js';
import { networkLearner } from './network/network-learner.js';
import { tableLearner } from './tables/table-learner.js';
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
  /** The same for each value, of a table for each code of a variable: the paper's start. */
  uniform(head: Omit<ModelHead, 'family'>): DensityModel;
}

/** @param table of rows that are codes */
export function weakLearnerOf(
  rows: CountedSplits,
  options: BoostedSpecification,
  table: ModelHead['table'],
): WeakLearner {
  if (table !== undefined) return tableLearner(rows, options, table);
  const { train } = rows;
  return options.weak === 'network' ? networkLearner(train, options) : treeLearner(train, options);
}
