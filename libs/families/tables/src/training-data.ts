import { AUTO, contentId, type DatasetFacts } from '@orchard/contracts';
import { predictorCount, predictorMatrix, predictorOffsets, type BitMatrix } from '@orchard/dataset';
import { threadsThatFit, TrainingData, trainingBytes } from '@orchard/kernel';
import { loadSplits, refold, type DataRequest, type Splits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { RULE_LEAVES } from './certain-tree.js';
import type { TablesRun } from './tables-run.js';

/**
 * The rows of a run in the memory that threads share: predictor bits of all variables in the ordering, and behind them
 * the codes, which say what each row is decided to be.
 */
export async function arrangeTable(store: ObjectStore, run: TablesRun, threads: number): Promise<TrainingData> {
  const { train, valid, test } = await loadSplits(store, run);
  const dealt = run.fold === null ? { train, valid } : refold(train, valid, run.fold);
  return arrangeCodes({ ...dealt, test }, run, threads);
}

/** The same of codes that are at hand. */
export function arrangeCodes({ train, valid, test }: Splits, run: TablesRun, threads: number): TrainingData {
  const splits = {
    train: trainingRows(train, run),
    valid: trainingRows(valid, run),
    test: test === null ? null : trainingRows(test, run),
  };
  // a variable's predictor bits are few patterns: one addition each instead of one a byte
  const groups = Array.from(run.ordering, (index) => predictorCount(run.table.variables[index]!));
  return TrainingData.arrange(splits, { threads, leaves: mostLeaves(run), groups });
}

export function trainingRows(codes: BitMatrix, { table, ordering }: Pick<TablesRun, 'table' | 'ordering'>): BitMatrix {
  const bits = predictorMatrix(codes, table, ordering, codes.dimensions);
  const first = bits.dimensions - codes.dimensions;
  for (let row = 0; row < codes.rows; row++) {
    const [from, to] = [row * codes.stride, row * bits.stride];
    for (let bit = 0; bit < codes.dimensions; bit++)
      if ((codes.bytes[from + (bit >> 3)]! & (0x80 >> (bit & 7))) !== 0)
        bits.bytes[to + ((first + bit) >> 3)]! |= 0x80 >> ((first + bit) & 7);
  }
  return bits;
}

/** Each of a run's thousands of tasks asks for the same. */
const known = new WeakMap<TablesRun, DataRequest>();

/** For threads: runs on the same rows, dealt alike and in the same ordering, share it. */
export function trainingDataOf(run: TablesRun): DataRequest {
  const request = known.get(run) ?? requestFor(run);
  known.set(run, request);
  return request;
}

function requestFor(run: TablesRun): DataRequest {
  const { train, valid, test } = run.specification;
  const { fold } = run;
  const ordering = Array.from(run.ordering);
  const leaves = mostLeaves(run);
  const { variables } = run.table;
  const predictors = predictorOffsets({ variables })[variables.length]!;
  const width = (facts: DatasetFacts): DatasetFacts => ({ ...facts, dimensions: facts.dimensions + predictors });
  const { datasets } = run;
  const sizes = {
    train: width(datasets.train),
    valid: width(datasets.valid),
    test: datasets.test === null ? null : width(datasets.test),
  };
  return {
    key: contentId({ train, valid, test, ordering, fold: fold && { ...fold }, leaves, family: run.family }),
    fit: (threads, bytes) => {
      const one = trainingBytes(sizes, { leaves, threads: 1 });
      return threadsThatFit(sizes, { leaves, threads, bytes: Math.max(bytes, one) });
    },
    arrange: (threads) => ({ name: 'arrange', input: { run, threads } }),
  };
}

/** Of any tree that is grown for the run. */
function mostLeaves({ specification: { leaves, tuning } }: TablesRun): number {
  const asked = leaves === AUTO ? tuning!.leaves! : [leaves];
  return asked.reduce((most, one) => Math.max(most, one), RULE_LEAVES);
}
