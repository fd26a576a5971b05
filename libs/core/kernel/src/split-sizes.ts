import type { FieldLayout } from '@orchard/dataset';
import { KernelError } from './errors.js';

export interface MatrixSize {
  readonly rows: number;
  /** Columns of bits, or predictors of a table. */
  readonly dimensions: number;
  /** Of a table's rows. @default rows are bits */
  readonly layout?: FieldLayout | undefined;
}

/** What decides how much memory training takes, known without loading a row; data sets and their facts both have it. */
export interface SplitSizes {
  readonly train: MatrixSize;
  readonly valid: MatrixSize | null;
  readonly test: MatrixSize | null;
}

/** Rows beyond this would leave fewer than 26 bits behind the grid's binary point. */
const MOST_ROWS = 2 ** 26;

/** Of training, validation and test. */
export function rowCountsOf({ train, valid, test }: SplitSizes): [number, number, number] {
  return [train.rows, valid?.rows ?? 0, test?.rows ?? 0];
}

/** @throws KernelError where splits do not match, or one has no rows or too many */
export function checkSplits(splits: SplitSizes): void {
  const { dimensions } = splits.train;
  const named = [
    ['training', splits.train],
    ['validation', splits.valid],
    ['test', splits.test],
  ] as const;
  for (const [name, size] of named) {
    if (size === null) continue;
    if (size.dimensions !== dimensions)
      throw new KernelError(`The ${name} split does not match the training split`, {
        code: 'bad-data',
        got: `${size.dimensions} dimensions`,
        expected: `${dimensions}`,
        remedy: 'Give splits of the same columns.',
      });
    if (size.rows === 0)
      throw new KernelError(`The ${name} split is empty`, {
        code: 'bad-data',
        got: '0 rows',
        expected: 'at least one row, or no such split',
        remedy: 'Leave the split out, or give it rows.',
      });
    if (size.rows > MOST_ROWS)
      throw new KernelError(`The ${name} split has too many rows for the grid of exact sums`, {
        code: 'too-large',
        got: `${size.rows} rows`,
        expected: `at most ${MOST_ROWS}`,
        remedy: 'Train on a sample of the rows.',
      });
  }
}
