import { Split, type TrainingData } from '@orchard/kernel';
import type { TrainedConditional } from '@orchard/logitboost';
import { EnsembleBuilder, logProbability } from '@orchard/model';

/**
 * A decision whose outcome 1 no row had, in training nor in validation: there is nothing to boost. Rules end at odds of
 * 1 : n², so these stay below what any rule leaves to the values that training had: 1 : n³. Null of any other decision.
 *
 * @param counts rows of each split by the decision's labels, 2 where a row does not reach it
 */
export function neverSeen(
  { testRows }: Pick<TrainingData, 'testRows'>,
  predictors: number,
  counts: Uint32Array,
): TrainedConditional | null {
  const rowsOf = (split: number, label: number): number => counts[4 * split + label]!;
  if (rowsOf(Split.train, 1) + rowsOf(Split.valid, 1) > 0) return null;
  const [train, valid] = [rowsOf(Split.train, 0), rowsOf(Split.valid, 0)];
  const rows = train + valid + 2;
  const odds = 1 / (rows * rows * rows);
  const [natsOfZero, natsOfOne] = [logProbability(0, odds), logProbability(1, odds)];
  const test = rowsOf(Split.test, 0) * natsOfZero + rowsOf(Split.test, 1) * natsOfOne;
  return {
    position: predictors,
    ensemble: new EnsembleBuilder(odds).build(),
    curves: {
      train: Float64Array.of(train * natsOfZero),
      valid: Float64Array.of(valid * natsOfZero),
      test: testRows === 0 ? null : Float64Array.of(test),
    },
    finished: true,
  };
}
