import type { ObjectStore } from '@orchard/storage';
import { Checkpoints, PipelineError, requireSameNumerics, type TaskContext, type TaskOutcome } from '@orchard/pipeline';
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

/** The settings of a dimension's task, all optional: see {@link TaskContext}. */
export type DimensionHooks = Partial<
  Pick<TaskContext, 'signal' | 'onProgress' | 'isNew' | 'onCheckpointFailure' | 'checkpointSeconds'>
>;

/**
 * Trains one conditional and stores it, from its newest checkpoint where there is one. Does nothing where it is stored;
 * two at once do no harm, since they store the same bytes.
 *
 * @param dimension the stored dimension
 * @throws PipelineError `interrupted` (a checkpoint is stored), `training-failed`, `thread-lost`, `other-numerics`
 * @throws StorageError `conflict` where other bytes are stored under the name
 */
export async function trainDimension(
  { store, trainer }: TrainingPorts,
  run: LbarnRun,
  dimension: number,
  { signal, onProgress, onCheckpointFailure, checkpointSeconds, isNew = false }: DimensionHooks = {},
): Promise<TaskOutcome> {
  requireSameNumerics(run);
  const position = positionOf(run, dimension);
  const name = lbarnNames.conditional(run, dimension);
  if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };

  const prefix = lbarnNames.dimensionCheckpoints(run, dimension);
  const checkpoints = new Checkpoints(store, prefix, decodeConditional);
  const checkpoint = isNew ? null : await checkpoints.latest();
  const onCheckpoint = (bytes: Uint8Array, round: number): void =>
    checkpoints.put(bytes, round, (error) => onCheckpointFailure?.(error));
  const outcome = await trainer
    .run(
      {
        stage: 'train',
        dimension,
        position,
        options: boostingOptions(run),
        checkpoint,
      },
      { signal, onProgress, onCheckpoint, checkpointSeconds },
    )
    .finally(() => checkpoints.stored());
  if (!outcome.finished && outcome.progress.trees > 0) {
    onCheckpoint(outcome.bytes, outcome.rounds);
    await checkpoints.stored();
  }
  if (!outcome.finished) throw interruptedAt(dimension, outcome.rounds);
  const stored = await store.put(name, outcome.bytes);
  // those of another worker that trained it at the same time go when the run selects
  await checkpoints.clear();
  return { stored, progress: outcome.progress };
}

export function interruptedAt(dimension: number, rounds: number): PipelineError {
  return new PipelineError('interrupted', {
    got: `a request to stop after ${rounds} rounds`,
    expected: 'time to finish',
    where: `dimension ${dimension}`,
    remedy: 'Run again: it goes on from what is stored.',
  });
}
