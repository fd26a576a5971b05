import { isBound, isExact, isMostProbable, type DensityModel } from './density-model.js';
import { isExactOfTable } from '../tables/tabular-model.js';

/**
 * What a model answers beside likelihoods and draws of whole rows, which all give exactly but those that bound
 * likelihoods.
 */
export interface Answers {
  /**
   * Probabilities of any unknown values given any known ones, and completions: by one sum over all rows, or from draws,
   * or not at all.
   */
  readonly conditionals: 'exact' | 'drawn' | 'none';
  /** The most probable of all rows that fit what is known: exactly, or not at all. */
  readonly mostProbable: 'exact' | 'none';
}

export function answersOf(model: DensityModel): Answers {
  return {
    conditionals: isExact(model) || isExactOfTable(model) ? 'exact' : isBound(model) ? 'none' : 'drawn',
    mostProbable: isMostProbable(model) ? 'exact' : 'none',
  };
}
