import type { TabularModel } from '@orchard/model';
import { isBeyondNoise } from './beyond-noise.js';
import type { PredictedFacts, VariableFacts } from './table-facts.js';

/** Columns in the picture, and predictors of each that are named. */
const COLUMNS = 24;
const PREDICTORS = 3;
/** Of less of what is known of a column nothing is said: trees split on noise too. */
const LEAST_SHARE = 0.1;

/** What the columns that gain most are predicted from, those of the greatest gain first. */
export function importanceFacts(model: TabularModel, variables: readonly VariableFacts[]): readonly PredictedFacts[] {
  return variables
    .map((variable, index) => ({ variable, index, gain: variable.ownLoss - variable.loss }))
    .filter(({ variable }) => isBeyondNoise(variable))
    .sort((one, other) => other.gain - one.gain)
    .slice(0, COLUMNS)
    .map(({ variable, index, gain }) => {
      const predictors = Array.from(model.importanceOf(index), (share, at) => ({ name: variables[at]!.name, share }))
        .filter(({ share }) => share >= LEAST_SHARE)
        .sort((one, other) => other.share - one.share)
        .slice(0, PREDICTORS);
      return { name: variable.name, gain, predictors };
    });
}
