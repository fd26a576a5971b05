import { attachSplits, meanOverRows, type SharedSplits } from '@orchard/dataset';
import { untold, type JsonValue } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import {
  judgedModel,
  loadCounted,
  loadSplits,
  storeModelFiles,
  type ComputationContext,
  type Computations,
  type Run,
  type Splits,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { sectionsOf } from './experts-section.js';
import type { Experts } from './experts.js';
import { startOf, stepOf } from './learn-experts.js';
import { partitionOf, type Partition, type PartitionBound } from './partition-model.js';
import { partitionSpecification } from './partition-run.js';
import { placeIn, readStep, stepBytes, type Step } from './steps.js';

/** A model, and all steps of the run that it is of, by restart. */
export interface Chosen {
  readonly model: Partition | PartitionBound;
  readonly steps: readonly Step[];
  readonly chosen: Step;
}

/** The experts by which the validation rows are likeliest, of equal ones the first. */
export async function choose(store: ObjectStore, run: Run, splits: Splits): Promise<Chosen> {
  const { restarts, steps: perRestart } = partitionSpecification(run);
  const steps: Step[] = [];
  let best: (Step & { readonly experts: Experts }) | null = null;
  for (let restart = 0; restart < restarts; restart++)
    for (let step = 1; step <= perRestart; step++) {
      const { experts, ...told } = await readStep(store, run.id, { restart, step });
      steps.push(told);
      if (best === null || told.valid > best.valid) best = { ...told, experts };
    }
  const { experts, ...chosen } = best!;
  const { dimensions, names, shape } = splits.train;
  const specification = { runId: run.id, ...run.specification, chosen } as JsonValue;
  const head = { dimensions, names, shape, specification };
  const model = judgedModel((likelihoods) => partitionOf({ ...head, likelihoods }, experts), splits);
  return { model, steps, chosen };
}

/** The page about a model. */
export async function reportOf(run: Run, splits: Splits, { model, steps, chosen }: Chosen): Promise<string> {
  // the drawing libraries take longer to load than small models to learn
  const { reportOnModel } = await import('@orchard/report');
  return reportOnModel({ runId: run.id, model, splits, sections: await sectionsOf(model, steps, chosen) });
}

/** What threads run for partitions. */
export const computations = {
  /** Loads the rows that experts are learned from, and those that choose, each once. */
  load: loadCounted,

  /** A step, after the one before it. @returns its file; null where the task was cancelled */
  step: async (
    { run, key }: { run: Run; key: string },
    { store, data, isCancelled }: ComputationContext,
  ): Promise<Uint8Array | null> => {
    const { train, valid } = data((handle) => attachSplits(handle as SharedSplits));
    const { restart, step } = placeIn(key);
    const options = partitionSpecification(run);
    const { dimensions, names, shape } = train.distinct;
    const before =
      step === 1
        ? startOf(dimensions, options.experts, new RandomStream(options.seed, Purpose.restart, restart))
        : (await readStep(store, run.id, { restart, step: step - 1 })).experts;
    const made = stepOf(train, before, options, isCancelled);
    if (made === null) return null;
    const { experts } = made;
    const model = partitionOf({ dimensions, names, shape, specification: null, likelihoods: untold }, experts);
    const told = {
      restart,
      step,
      explained: made.explained / train.rows,
      valid: meanOverRows(model.logLikelihood(valid.distinct), valid),
    };
    return stepBytes(model, { ...told, experts });
  },

  choose: async ({ run, withReport }: { run: Run; withReport: boolean }, { store }: ComputationContext) => {
    const splits = await loadSplits(store, run);
    const made = await choose(store, run, splits);
    await storeModelFiles(store, run, made.model, { chosen: made.chosen }, () =>
      withReport ? reportOf(run, splits, made) : Promise.resolve(null),
    );
  },
} satisfies Computations['functions'];
