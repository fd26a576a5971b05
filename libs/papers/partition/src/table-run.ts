import { BitMatrix, codeCount, inSharedMemory, meanLogDensities, readCodes } from '@orchard/dataset';
import { mostExpertsOf, startOfTable, stepOfTable, TableClasses } from './table-experts/index.js';
import { untold } from '@orchard/model';
import { Purpose, RandomStream, sumOf } from '@orchard/numerics';
import {
  headOfStep,
  loadDataset,
  meanLogLikelihood,
  PipelineError,
  sharedCodes,
  type ComputationContext,
  type DataRequest,
  type Place,
  type Run,
  type RunDatasets,
  type Splits,
  type StoredStep,
} from '@orchard/pipeline';
import { partitionSpecification } from './partition-run.js';
import type { AnyPartition, Step } from './steps.js';
import { TablePartition } from './table-partition.js';

/** Rows of a table, as threads share them. */
interface SharedTable {
  readonly train: ArrayBufferLike;
  readonly valid: ArrayBufferLike;
}

type TableSplits = Pick<Splits, 'train' | 'valid'>;

export async function loadTable(
  { train, valid }: { readonly train: string; readonly valid: string },
  { store }: Pick<ComputationContext, 'store'>,
): Promise<SharedTable> {
  const [ofTrain, ofValid] = [await loadDataset(store, train), await loadDataset(store, valid)];
  return { train: inSharedMemory(ofTrain.buffer), valid: inSharedMemory(ofValid.buffer) };
}

export function attachTable(handle: unknown): TableSplits {
  const { train, valid } = handle as SharedTable;
  return { train: BitMatrix.from(train), valid: BitMatrix.from(valid) };
}

/** A step of a run of EM on a table, which begins with random experts. @returns null where it was cancelled */
export function nextTableStep(
  run: Run,
  { train, valid }: TableSplits,
  { chain: restart, step }: Place,
  before: StoredStep<Step, AnyPartition> | null,
  isCancelled: () => boolean,
): TablePartition | null {
  const options = partitionSpecification(run);
  const { table } = train.columns.codes;
  const classes = new TableClasses(table);
  const { offsets } = classes;
  const rows = table.variables.map((_, index) => readCodes(train, offsets[index]!, offsets[index + 1]!));
  const stream = new RandomStream(options.seed, Purpose.restart, restart);
  const experts =
    (before?.model as TablePartition | undefined)?.experts ?? startOfTable(classes, rows, options.experts, stream);
  const made = stepOfTable(rows, experts, options, isCancelled);
  if (made === null) return null;
  const model = new TablePartition({ table, specification: null, likelihoods: untold }, made.experts);
  const densities = sumOf(meanLogDensities(train));
  const facts = {
    restart,
    step: step + 1,
    explained: made.explained / train.rows + densities,
    valid: meanLogLikelihood(model, valid),
  };
  return new TablePartition({ ...headOfStep(model, facts), table }, made.experts);
}

/** @throws PipelineError `bad-request` where experts cannot be summed over even one by one */
export function checkExperts(experts: number, { table }: RunDatasets['train']): void {
  const codes = table!.variables.reduce((sum, variable) => sum + codeCount(variable), 0);
  const most = mostExpertsOf(codes);
  if (experts > most)
    throw new PipelineError('bad-request', {
      got: `${String(experts)} experts, and columns of ${String(codes)} values, labels and bins in all`,
      expected: `at most ${String(most)} experts of so many`,
      where: 'experts',
      remedy: 'Use fewer experts (--experts), or leave columns out.',
    });
}

/** The rows that experts are learned from: of a thread codes, the experts of each row, what all make of each code. */
export function codesOf(run: Run): DataRequest {
  const { train, valid } = run.datasets;
  return sharedCodes(run, (train.rows + valid.rows) * (2 * train.table!.variables.length + 64) + 2 ** 25);
}
