import { orderOfSplits, rowsInFileOrder, type RowsToLearn } from '@orchard/analysis';
import type { Columns } from '@orchard/dataset';
import type { Family } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { UsageError } from '../output/errors.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import type { TableWords } from '../options/table-options.js';
import type { Terminal } from '../output/terminal.js';
import type { TrainInFoldersOptions } from './train-in-folders.js';
import { loadTrainingRows, rowsFor } from '../rows/load-training-rows.js';
import { sharesOf } from '../rows/split-sources.js';

export interface FoldRowsOptions extends DatasetOptions, TableWords, Omit<TrainInFoldersOptions, 'places'> {
  readonly model?: string;
  readonly folds: number;
  readonly seed: number;
  /** Whether rows of 0 and 1 are read as a table of binary columns. */
  readonly asTable?: boolean;
}

/** The rows of a file, and what models of them are trained by. */
export interface FoldRows extends RowsToLearn {
  readonly file: string;
  /** Whether a row, from 0, is one of those that the bins of the columns were made of. */
  readonly isOfTable: (row: number) => boolean;
}

/** Reads the rows of a file. @throws UsageError for more folds than rows */
export async function loadFoldRows(
  file: string,
  options: FoldRowsOptions,
  terminal: Terminal,
  usual: (columns: Columns) => Family = ({ kind }) => families.usualFor(kind),
): Promise<FoldRows> {
  const { model, folds, seed } = options;
  const named = model === undefined ? null : families.named(model);
  const learned = named === null ? undefined : rowsFor(named);
  const mayBeTable = learned === undefined || learned.learns.includes('table');
  const said =
    options.asTable === true && mayBeTable ? { names: 'of a table', ...learned, learns: ['table' as const] } : learned;
  const splits = await loadTrainingRows({ train: file, folds }, options, said, terminal);
  const count = splits.train.rows + splits.valid.rows;
  if (folds > count) {
    throw new UsageError({
      got: `${String(folds)} folds of ${String(count)} rows`,
      expected: 'at least one row in each fold',
      where: '--folds',
      remedy: 'Use fewer folds.',
    });
  }
  const validShare = sharesOf({ train: file }).valid;
  const rows = rowsInFileOrder(splits, validShare, seed);
  const ofTable = new Uint8Array(count);
  for (const row of orderOfSplits(count, validShare, seed).subarray(0, splits.train.rows)) ofTable[row] = 1;
  return { file, family: named ?? usual(rows.columns), rows, isOfTable: (row) => ofTable[row] === 1 };
}
