import type { ObjectStore } from '@orchard/storage';
import { requireSameNumerics, trainFromCheckpoints, type TaskOutcome, type TrainingHooks } from '@orchard/pipeline';
import { lbarnNames } from '../artefacts/artefacts.js';
import { decodeConditional } from '../artefacts/conditional-codec.js';
import { positionOf, type LbarnRun } from '../run/lbarn-run.js';
import { boostingOptions } from './training-data.js';
import type { Trainer } from './trainer.js';

/** Where artefacts are, and who computes. */
export interface TrainingPorts {
  readonly store: ObjectStore;
  /** On the run's own data: {@link arrangeTrainingData}. */
  readonly trainer: Trainer;
}

/**
 * Trains one conditional and stores it, from its newest checkpoint where there is one.
 *
 * @param dimension the stored dimension
 * @throws PipelineError `other-numerics`, and as `trainFromCheckpoints` does
 */
export async function trainDimension(
  { store, trainer }: TrainingPorts,
  run: LbarnRun,
  dimension: number,
  hooks: TrainingHooks = {},
): Promise<TaskOutcome> {
  requireSameNumerics(run);
  const position = positionOf(run, dimension);
  const options = boostingOptions(run);
  return trainFromCheckpoints(
    { ...hooks, store },
    {
      name: lbarnNames.conditional(run, dimension),
      checkpoints: lbarnNames.dimensionCheckpoints(run, dimension),
      check: decodeConditional,
      what: `dimension ${dimension}`,
      train: (checkpoint, own) => trainer.run({ stage: 'train', dimension, position, options, checkpoint }, own),
    },
  );
}
