import { meanOverRows, type CountedSplits } from '@orchard/dataset';
import { untold } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import {
  computationOfEnding,
  computationOfStep,
  headOf,
  headOfStep,
  judgedModel,
  likeliestStep,
  loadCounted,
  type ComputationContext,
  type Computations,
  type End,
  type Place,
  type Run,
  type StoredStep,
} from '@orchard/pipeline';
import { sectionsOf } from './experts-section.js';
import { startOf, stepOf } from './learn-experts.js';
import { partitionOf, TablePartition, type Partition, type PartitionBound } from './partition-model.js';
import { partitionSpecification } from './partition-run.js';
import { steps, type AnyPartition, type Step } from './steps.js';
import { attachTable, loadTable, nextTableStep } from './table-run.js';

/** A step of a run of EM, which begins with random experts. @returns null where it was cancelled */
function nextStep(
  run: Run,
  { train, valid }: CountedSplits,
  { chain: restart, step }: Place,
  before: StoredStep<Step, AnyPartition> | null,
  isCancelled: () => boolean,
): Partition | PartitionBound | null {
  const options = partitionSpecification(run);
  const { dimensions, names, shape } = train.distinct;
  const stream = new RandomStream(options.seed, Purpose.restart, restart);
  const made = stepOf(
    train,
    (before?.model as Partition | PartitionBound | undefined)?.experts ?? startOf(dimensions, options.experts, stream),
    options,
    isCancelled,
  );
  if (made === null) return null;
  const model = partitionOf({ dimensions, names, shape, specification: null, likelihoods: untold }, made.experts);
  const facts = {
    restart,
    step: step + 1,
    explained: made.explained / train.rows,
    valid: meanOverRows(model.logLikelihood(valid.distinct), valid),
  };
  return partitionOf(headOfStep(model, facts), made.experts);
}

const stepOfBits = computationOfStep(steps, nextStep);
const stepOfTable = computationOfStep(steps, nextTableStep, attachTable);

/** The experts by which the validation rows are likeliest. */
export const end: End = async (run, splits, store) => {
  const { all, best } = await likeliestStep(steps, store, run);
  const chosen = best.facts;
  const head = headOf(run, splits.train, { chosen });
  const found = best.model;
  const model = judgedModel(
    (likelihoods) =>
      found instanceof TablePartition
        ? new TablePartition({ ...head, table: found.table, likelihoods }, found.experts)
        : partitionOf({ ...head, likelihoods }, found.experts),
    splits,
  );
  return { model, figures: { chosen }, sections: () => sectionsOf(model, all, chosen) };
};

/** What threads run for partitions. */
export const computations = {
  /** Loads the rows that experts are learned from, and those that choose, each once. */
  load: loadCounted,
  loadTable,
  step: (input: { run: Run; key: string }, context: ComputationContext) =>
    input.run.datasets.train.table === undefined ? stepOfBits(input, context) : stepOfTable(input, context),
  choose: computationOfEnding(end),
} satisfies Computations['functions'];
