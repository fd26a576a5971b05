import { isExact, isMostProbable, type DensityModel } from './density-model.js';

/** What a model answers beside likelihoods and draws of whole rows, which all give exactly. */
export interface Answers {
  /** Probabilities of any unknown values given any known ones, and completions: by one sum over all rows, or from draws. */
  readonly conditionals: 'exact' | 'drawn';
  /** The most probable of all rows that fit what is known: exactly, or not at all. */
  readonly mostProbable: 'exact' | 'none';
}

export function answersOf(model: DensityModel): Answers {
  return {
    conditionals: isExact(model) ? 'exact' : 'drawn',
    mostProbable: isMostProbable(model) ? 'exact' : 'none',
  };
}
