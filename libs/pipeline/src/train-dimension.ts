import { StorageError, type ObjectStore } from '@orchard/storage';
import { artefactNames } from './artefact-names.js';
import { deleteCheckpoints, latestCheckpoint, putCheckpoint } from './checkpoints.js';
import { PipelineError } from './errors.js';
import { requireSameNumerics, type Run } from './run.js';
import { boostingOptions } from './training-data.js';
import type { ConditionalProgress, TaskOutcome, Trainer } from './trainer.js';

/** Where artefacts are, and who computes. */
export interface TrainingPorts {
  readonly store: ObjectStore;
  /** On the run's own data: {@link arrangeTrainingData}. */
  readonly trainer: Trainer;
}

export interface DimensionHooks {
  /** Aborting stores a checkpoint and rejects with `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ConditionalProgress) => void) | undefined;
  /**
   * Nothing is stored of it, as far as the caller knows, so nothing is looked for. Where that is wrong work is done again,
   * and ends in the same bytes. @default false
   */
  readonly isNew?: boolean | undefined;
  /** A checkpoint that could not be stored: training goes on without it. */
  readonly onCheckpointFailure?: ((error: unknown) => void) | undefined;
  /** @default 30; see {@link TaskHooks.checkpointSeconds} */
  readonly checkpointSeconds?: number | undefined;
}

/** What a dimension's job came to; without progress where the artefact was there already. */
export type DimensionOutcome = { readonly stored: 'exists' | 'created' } & Partial<
  Omit<TaskOutcome, 'bytes' | 'finished'>
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
  run: Run,
  dimension: number,
  { signal, onProgress, onCheckpointFailure, checkpointSeconds, isNew = false }: DimensionHooks = {},
): Promise<DimensionOutcome> {
  requireSameNumerics(run);
  const position = positionOf(run, dimension);
  const name = artefactNames.conditional(run.id, dimension);
  if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };

  const checkpoint = isNew ? null : await latestCheckpoint(store, run, dimension);
  let hasCheckpoints = checkpoint !== null;
  // checkpoints are stored one after another while training goes on
  let storing = Promise.resolve();
  let conflict: StorageError | null = null;
  const onCheckpoint = (bytes: Uint8Array, round: number): void => {
    hasCheckpoints = true;
    storing = storing
      .then(() => putCheckpoint(store, run, dimension, round, bytes))
      .catch((error: unknown) => {
        if (error instanceof StorageError && error.code === 'conflict') conflict ??= error;
        else onCheckpointFailure?.(error);
      });
  };
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
    .finally(() => storing);
  if (!outcome.finished && outcome.newRounds > 0) {
    onCheckpoint(outcome.bytes, outcome.rounds);
    await storing;
  }
  // another checkpoint at the same round: the work is not deterministic, so no result of it may be stored
  if (conflict !== null) throw conflict as StorageError;
  if (!outcome.finished) throw interruptedAt(dimension, outcome.rounds);
  const stored = await store.put(name, outcome.bytes);
  // those of somebody else who trained it at the same time go when the run selects
  if (hasCheckpoints) await deleteCheckpoints(store, run, dimension);
  const { rounds, newRounds, bestValid } = outcome;
  return { stored, dimension, rounds, newRounds, bestValid };
}

/** @throws PipelineError `bad-request` where the run has no such dimension */
export function positionOf(run: Run, dimension: number): number {
  const position = run.positions[dimension];
  if (position !== undefined) return position;
  throw new PipelineError('bad-request', {
    got: `dimension ${dimension}`,
    expected: `0 to ${run.positions.length - 1}`,
    where: `run ${run.id}`,
    remedy: 'Name a stored dimension of the data set.',
  });
}

export function interruptedAt(dimension: number, rounds: number): PipelineError {
  return new PipelineError('interrupted', {
    got: `a request to stop after ${rounds} rounds`,
    expected: 'time to finish',
    where: `dimension ${dimension}`,
    remedy: 'Run again: it goes on from what is stored.',
  });
}
