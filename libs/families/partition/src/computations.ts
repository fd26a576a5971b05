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
  type Computations,
  type End,
  type Place,
  type Run,
  type StoredStep,
} from '@orchard/pipeline';
import { sectionsOf } from './experts-section.js';
import { startOf, stepOf } from './learn-experts.js';
import { partitionOf, type Partition, type PartitionBound } from './partition-model.js';
import { partitionSpecification } from './partition-run.js';
import { steps, type Step } from './steps.js';

/** A step of a run of EM, which begins with random experts. @returns null where it was cancelled */
function nextStep(
  run: Run,
  { train, valid }: CountedSplits,
  { chain: restart, step }: Place,
  before: StoredStep<Step, Partition | PartitionBound> | null,
  isCancelled: () => boolean,
): Partition | PartitionBound | null {
  const options = partitionSpecification(run);
  const { dimensions, names, shape } = train.distinct;
  const stream = new RandomStream(options.seed, Purpose.restart, restart);
  const made = stepOf(
    train,
    before?.model.experts ?? startOf(dimensions, options.experts, stream),
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

/** The experts by which the validation rows are likeliest. */
export const end: End = async (run, splits, store) => {
  const { all, best } = await likeliestStep(steps, store, run);
  const chosen = best.facts;
  const head = headOf(run, splits.train, { chosen });
  const model = judgedModel((likelihoods) => partitionOf({ ...head, likelihoods }, best.model.experts), splits);
  return { model, figures: { chosen }, sections: () => sectionsOf(model, all, chosen) };
};

/** What threads run for partitions. */
export const computations = {
  /** Loads the rows that experts are learned from, and those that choose, each once. */
  load: loadCounted,
  step: computationOfStep(steps, nextStep),
  choose: computationOfEnding(end),
} satisfies Computations['functions'];
