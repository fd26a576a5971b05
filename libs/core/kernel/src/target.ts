import { KernelError } from './errors.js';
import { Split, type TrainingData } from './training-data.js';

/**
 * A conditional whose target is not a column of the data: one of the yes-or-no questions by which a variable of a table
 * is predicted, asked of the rows that get as far as that question.
 */
export interface Decision {
  /** It may look at the first so many columns, in the ordering; 0 to all of them. */
  readonly predictors: number;
  /**
   * One byte a row of the data, in its sorted order: the 0 or 1 to be predicted, or 2 where the row does not reach the
   * decision. Such a row takes part in nothing: no sum, no likelihood, no odds.
   */
  readonly labels: Uint8Array;
  /**
   * Odds before the first tree, one a row of the data in its sorted order: of rows that agree in the predictors the
   * same. Those of rows that do not reach the decision are not read.
   *
   * @default the `startOdds` of the options, for every row
   */
  readonly startOdds?: Float64Array | undefined;
}

/**
 * What a conditional predicts: a column, by its position in the ordering, from all columns before it; or a decision.
 */
export type Target = number | Decision;

/** The label of a row that does not reach a decision. */
export const UNREACHED = 2;

/** A target looks at so many columns, from the first on. */
export function predictorsOf(target: Target): number {
  return typeof target === 'number' ? target : target.predictors;
}

/** The label of every sorted row, as a {@link Decision} has them. */
export function labelsOf(data: TrainingData, target: Target): Uint8Array {
  if (typeof target !== 'number') return target.labels;
  return Uint8Array.from({ length: data.rowCount }, (_, row) => data.bit(row, target));
}

/** How many training rows reach the target, and how many of those have a 1. */
export function trainingCounts(data: TrainingData, target: Target): { readonly rows: number; readonly ones: number } {
  if (typeof target === 'number') return { rows: data.trainingRows, ones: data.trainingOnes(target) };
  const [zeros, ones] = data.labelCounts(target.labels).subarray(4 * Split.train) as unknown as [number, number];
  return { rows: zeros + ones, ones };
}

/** @throws KernelError `bad-data` where a decision does not fit the data */
export function checkTarget(data: TrainingData, target: Target): void {
  if (typeof target === 'number') return;
  const { predictors, labels, startOdds } = target;
  if (!Number.isInteger(predictors) || predictors < 0 || predictors > data.dimensions)
    throw new KernelError('The decision looks at columns that do not exist', {
      code: 'bad-data',
      got: `${predictors} predictors`,
      expected: `a whole number from 0 to ${data.dimensions}`,
      remedy: 'Count the columns of the variables before it in the ordering.',
    });
  if (labels.length !== data.rowCount)
    throw new KernelError('The decision has not one label a row', {
      code: 'bad-data',
      got: `${labels.length} labels`,
      expected: `${data.rowCount}, for the rows of all splits in sorted order`,
      remedy: 'Label every row of the arranged data, those that do not reach the decision with 2.',
    });
  if (startOdds !== undefined && startOdds.length !== data.rowCount)
    throw new KernelError('The decision has not the start odds of each row', {
      code: 'bad-data',
      got: `${startOdds.length} odds`,
      expected: `${data.rowCount}, for the rows of all splits in sorted order`,
      remedy: 'Give the odds of every row of the arranged data, or none.',
    });
  let row = 0;
  while (row < labels.length && labels[row]! <= UNREACHED) row++;
  if (row < labels.length)
    throw new KernelError('The decision has a label that means nothing', {
      code: 'bad-data',
      got: `${labels[row]} for sorted row ${row}`,
      expected: '0, 1, or 2 where the row does not reach the decision',
      remedy: 'Label rows with these three.',
    });
}
