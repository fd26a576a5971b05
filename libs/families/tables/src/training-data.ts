import { AUTO, contentId, type DatasetFacts } from '@orchard/contracts';
import { BitMatrix, fieldRows, tableFields, WEIGHS_ROWS } from '@orchard/dataset';
import { threadsThatFit, TrainingData, trainingBytes, type MatrixSize } from '@orchard/kernel';
import { loadSplits, refold, type DataRequest, type Splits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { oncePer } from '@orchard/numerics';
import { RULE_LEAVES } from './certain-tree.js';
import { linesOf, type TablesRun } from './tables-run.js';

/** The rows of a run in the memory that threads share: the fields of all variables in the ordering. */
export async function arrangeTable(store: ObjectStore, run: TablesRun, threads: number): Promise<TrainingData> {
  const { train, valid, test } = await loadSplits(store, run);
  const dealt = run.fold === null ? { train, valid } : refold(train, valid, run.fold);
  return arrangeCodes({ ...dealt, test }, run, threads);
}

/** The same of codes that are at hand. */
export function arrangeCodes({ train, valid, test }: Splits, run: TablesRun, threads: number): TrainingData {
  const { table, ordering } = run;
  const layout = tableFields(table, ordering);
  const splits = {
    train: fieldRows(train, table, ordering, layout),
    valid: fieldRows(valid, table, ordering, layout),
    test: test && fieldRows(test, table, ordering, layout),
  };
  const { rowsPerTree } = run.specification;
  const areWeighed = table.leftOut.some(({ why }) => why === WEIGHS_ROWS);
  return TrainingData.arrange(splits, { threads, leaves: mostLeaves(run), rowsPerTree, areWeighed });
}

/**
 * For threads: runs on the same rows, dealt alike and in the same ordering, share it. Each of a run's thousands of
 * tasks asks for the same.
 */
export const trainingDataOf = oncePer((run: TablesRun): DataRequest => {
  const { train, valid, test, rowsPerTree } = run.specification;
  const { fold } = run;
  const ordering = Array.from(run.ordering);
  const leaves = mostLeaves(run);
  const layout = tableFields(run.table, run.ordering);
  const sizeOf = ({ rows }: DatasetFacts): MatrixSize => ({ rows, dimensions: layout.predictors, layout });
  const { datasets } = run;
  const sizes = {
    train: sizeOf(datasets.train),
    valid: sizeOf(datasets.valid),
    test: datasets.test && sizeOf(datasets.test),
  };
  return {
    key: contentId({
      train,
      valid,
      test,
      ordering,
      fold: fold && { ...fold },
      leaves,
      ...(rowsPerTree !== undefined && { rowsPerTree }),
      family: run.family,
    }),
    fit: (threads, bytes) => {
      const one = trainingBytes(sizes, { leaves, rowsPerTree, threads: 1 });
      return threadsThatFit(sizes, { leaves, rowsPerTree, threads, bytes: Math.max(bytes, one) });
    },
    arrange: (threads) => ({ name: 'arrange', input: { run, threads } }),
  };
});

/** Of a row and thread: its code, its place among the decisions, its number and label in the one that is trained. */
const BYTES_OF_DECISIONS = 15;
/** And where variables start from lines: its place on that of training, on that of the refit, and what they sum. */
const BYTES_OF_LINES = 26;

/** Bytes that the program takes beside the arranged rows: the rows as they were read, and what threads note of each. */
export function bytesBeside(run: TablesRun, threads: number): number {
  const { train, valid, test } = run.datasets;
  const splits = [train, valid, ...(test === null ? [] : [test])];
  const packed = splits.reduce((sum, { rows, dimensions }) => sum + rows * BitMatrix.create(0, dimensions).stride, 0);
  const rows = splits.reduce((sum, split) => sum + split.rows, 0);
  const ofThread = rows * (BYTES_OF_DECISIONS + (linesOf(run) === 'none' ? 0 : BYTES_OF_LINES));
  // while they are arranged they are held once more
  const arranging = rows * tableFields(run.table, run.ordering).stride;
  return packed + Math.max(arranging, threads * ofThread);
}

/** Of any tree that is grown for the run. */
function mostLeaves({ specification: { leaves, tuning } }: TablesRun): number {
  const asked = leaves === AUTO ? tuning!.leaves! : [leaves];
  return asked.reduce((most, one) => Math.max(most, one), RULE_LEAVES);
}
