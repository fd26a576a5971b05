import { Split, type Decision, type TrainingData } from '@orchard/kernel';
import type { TrainedConditional } from '@orchard/logitboost';
import { EnsembleBuilder, logProbability } from '@orchard/model';

/**
 * A decision whose outcome 1 no row had, in training nor in validation: there is nothing to boost. Rules end at odds of
 * 1 : n², so these stay below what any rule leaves to the values that training had: 1 : n³. Null of any other decision.
 */
export function neverSeen(
  data: Pick<TrainingData, 'splitOf' | 'testRows'>,
  { labels, predictors }: Decision,
): TrainedConditional | null {
  let [train, valid] = [0, 0];
  const testRows = [0, 0];
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row]!;
    if (label > 1) continue;
    const split = data.splitOf(row);
    if (label === 1 && split !== Split.test) return null;
    if (split === Split.test) testRows[label]!++;
    else if (split === Split.train) train++;
    else valid++;
  }
  const odds = (train + valid + 2) ** -3;
  const [natsOfZero, natsOfOne] = [logProbability(0, odds), logProbability(1, odds)];
  const test = testRows[0]! * natsOfZero + testRows[1]! * natsOfOne;
  return {
    position: predictors,
    ensemble: new EnsembleBuilder(odds).build(),
    curves: {
      train: Float64Array.of(train * natsOfZero),
      valid: Float64Array.of(valid * natsOfZero),
      test: data.testRows === 0 ? null : Float64Array.of(test),
    },
    finished: true,
  };
}
