import { evenlySpaced, type BitMatrix } from '@orchard/dataset';
import { judgePredictors, VALIDATION_CHOICES, type CellsInTurn, type TabularModel } from '@orchard/model';
import { isBeyondNoise } from './beyond-noise.js';
import type { PredictedFacts, VariableFacts } from './table-facts.js';

/** Columns in the picture, and predictors of each that are named. */
const COLUMNS = 24;
const PREDICTORS = 3;
/** Held-out rows that test them, evenly spaced: each is asked some 200 times, and 20,000 of numbers took a minute. */
export const ROWS_TESTING = 4_000;
/** Of less of what is known of a column nothing is said: trees split on noise too. */
const LEAST_SHARE = 0.1;

/**
 * What the columns that gain most are predicted from, those of the greatest gain first, each share tested against noise
 * by held-out rows, at most {@link ROWS_TESTING}. Members of a mixture were validated by rows that have trained others:
 * these test nothing.
 */
export async function importanceFacts(
  model: TabularModel,
  variables: readonly VariableFacts[],
  heldOut: { readonly rows: BitMatrix; readonly areTest: boolean },
  cells: CellsInTurn,
): Promise<readonly PredictedFacts[]> {
  const shown = strongest(model, variables);
  const pairs = shown.flatMap(({ index, predictors }) =>
    predictors.map(({ at }) => ({ column: index, predictor: at })),
  );
  const { members } = (model.specification ?? {}) as { readonly members?: unknown };
  const { rows, areTest } = heldOut;
  const some = evenlySpaced(rows, ROWS_TESTING);
  const judged =
    areTest || members === undefined
      ? await judgePredictors(model, some, pairs, { chosenOf: areTest ? 1 : VALIDATION_CHOICES, cells })
      : null;
  let pair = 0;
  return shown.map(({ name, gain, predictors }) => ({
    name,
    gain,
    predictors: predictors.map(({ at, share }) => ({
      name: variables[at]!.name,
      share,
      beyondNoise: judged === null ? null : judged.beyondNoise[pair++] === 1,
    })),
  }));
}

interface Strongest {
  readonly name: string;
  readonly index: number;
  readonly gain: number;
  readonly predictors: readonly { readonly at: number; readonly share: number }[];
}

function strongest(model: TabularModel, variables: readonly VariableFacts[]): readonly Strongest[] {
  return (
    variables
      .map((variable, index) => ({ variable, index, gain: variable.ownLoss - variable.loss }))
      .filter(({ variable }) => isBeyondNoise(variable))
      .map((one) => ({ ...one, shares: Array.from(model.importanceOf(one.index)) }))
      // a column that is predicted from nothing gains by how its own rates are smoothed alone, in every row alike
      .filter(({ shares }) => shares.some((share) => share > 0))
      .sort((one, other) => other.gain - one.gain)
      .slice(0, COLUMNS)
      .map(({ variable, index, gain, shares }) => {
        const predictors = shares
          .map((share, at) => ({ at, share }))
          .filter(({ share }) => share >= LEAST_SHARE)
          .sort((one, other) => other.share - one.share)
          .slice(0, PREDICTORS);
        return { name: variable.name, index, gain, predictors };
      })
  );
}
