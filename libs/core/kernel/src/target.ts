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
   * The sorted rows of the data that reach it, ascending. The others take part in nothing, and cost nothing: no sum, no
   * likelihood, no odds.
   */
  readonly rows: Uint32Array;
  /** Of each of them: the 0 or 1 to be predicted. */
  readonly labels: Uint8Array;
  /**
   * Odds of a sorted row before the first tree: of rows that agree in the predictors the same. Asked for rows that
   * reach the decision alone.
   *
   * @default the `startOdds` of the options, for every row
   */
  readonly startOdds?: ((row: number) => number) | undefined;
}

/**
 * What a conditional predicts: a column, by its position in the ordering, from all columns before it; or a decision.
 */
export type Target = number | Decision;

/** Among labels of all rows, that of a row that does not reach a decision. */
export const UNREACHED = 2;

/**
 * The decision of those labels, one a row of the data in its sorted order: 0, 1, or 2 where the row does not reach it.
 */
export function decisionOf(predictors: number, labels: Uint8Array): Decision {
  const rows = Uint32Array.from(labels.keys()).filter((row) => labels[row] !== UNREACHED);
  return { predictors, rows, labels: Uint8Array.from(rows, (row) => labels[row]!) };
}

/** A target looks at so many columns, from the first on. */
export function predictorsOf(target: Target): number {
  return typeof target === 'number' ? target : target.predictors;
}

/** The label of every sorted row, as {@link decisionOf} takes them. */
export function labelsOf(data: TrainingData, target: Target): Uint8Array {
  if (typeof target === 'number') return Uint8Array.from({ length: data.rowCount }, (_, row) => data.bit(row, target));
  const labels = new Uint8Array(data.rowCount).fill(UNREACHED);
  target.rows.forEach((row, place) => {
    labels[row] = target.labels[place]!;
  });
  return labels;
}

/** How many training rows reach the target, and how many of those have a 1. */
export function trainingCounts(data: TrainingData, target: Target): { readonly rows: number; readonly ones: number } {
  if (typeof target === 'number') return { rows: data.trainingRows, ones: data.trainingOnes(target) };
  const { rows, labels } = target;
  const counts = { rows: 0, ones: 0 };
  for (let place = 0; place < rows.length; place++) {
    if (data.splitOf(rows[place]!) !== Split.train) continue;
    counts.rows++;
    counts.ones += labels[place]!;
  }
  return counts;
}

/** @throws KernelError `bad-data` where a decision does not fit the data */
export function checkTarget(data: TrainingData, target: Target): void {
  if (typeof target === 'number') return;
  const { predictors, rows, labels } = target;
  if (!Number.isInteger(predictors) || predictors < 0 || predictors > data.dimensions)
    throw new KernelError('The decision looks at columns that do not exist', {
      code: 'bad-data',
      got: `${predictors} predictors`,
      expected: `a whole number from 0 to ${data.dimensions}`,
      remedy: 'Count the columns of the variables before it in the ordering.',
    });
  if (labels.length !== rows.length)
    throw new KernelError('The decision has not one label a row', {
      code: 'bad-data',
      got: `${labels.length} labels`,
      expected: `${rows.length}, one for each row that reaches it`,
      remedy: 'Label the rows that reach the decision, and no others.',
    });
  let before = -1;
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    if (row <= before || row >= data.rowCount)
      throw new KernelError('The rows of the decision are none of the data, or out of order', {
        code: 'bad-data',
        got: `row ${row} after ${before}`,
        expected: `rising rows, all below ${data.rowCount}`,
        remedy: 'Give the sorted rows of the arranged data that reach the decision, ascending.',
      });
    if (labels[place]! > 1)
      throw new KernelError('The decision has a label that means nothing', {
        code: 'bad-data',
        got: `${labels[place]} for sorted row ${row}`,
        expected: '0 or 1',
        remedy: 'Leave rows out that do not reach the decision.',
      });
    before = row;
  }
}
