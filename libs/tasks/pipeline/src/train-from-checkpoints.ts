import type { TaskProgress } from '@orchard/contracts';
import { Checkpoints } from './checkpoints.js';
import type { ComputeHooks } from './compute.js';
import { PipelineError } from './errors.js';
import type { TaskContext, TaskOutcome } from './family.js';

/** What came of training, or of as much of it as there was time for. */
export interface TrainingOutcome {
  /** The artefact; a checkpoint where it was stopped, null where there is nothing yet to go on from. */
  readonly bytes: Uint8Array | null;
  readonly finished: boolean;
  /** All so far, those of a checkpoint included: it orders checkpoints, and equal ones have equal bytes. */
  readonly rounds: number;
  readonly progress: TaskProgress;
}

export interface TrainingTask<Outcome extends TrainingOutcome> {
  /** Of the artefact. */
  readonly name: string;
  /** What the names of its checkpoints begin with. */
  readonly checkpoints: string;
  /** Throws where a checkpoint cannot be read. */
  readonly check: (bytes: Uint8Array, name: string) => void;
  /** In messages, as `dimension 17`. */
  readonly what: string;
  readonly train: (checkpoint: Uint8Array | null, hooks: ComputeHooks) => Promise<Outcome>;
  /** Stores what goes with the artefact, before that is stored. */
  readonly storeBeside?: (outcome: Outcome) => Promise<unknown>;
}

/** The settings of a task that trains, all optional: see {@link TaskContext}. */
export type TrainingHooks = Partial<
  Pick<TaskContext, 'signal' | 'onProgress' | 'isNew' | 'onCheckpointFailure' | 'checkpointSeconds'>
>;

/**
 * Trains what a task stores, from its newest checkpoint where there is one, and stores it. Does nothing where it is
 * stored; two at once do no harm, since they store the same bytes.
 *
 * @throws PipelineError `interrupted` (a checkpoint is stored), `training-failed`, `thread-lost`
 * @throws StorageError `conflict` where other bytes are stored under the name, or another checkpoint at the same place
 */
export async function trainFromCheckpoints<Outcome extends TrainingOutcome>(
  {
    store,
    signal,
    onProgress,
    onCheckpointFailure,
    checkpointSeconds,
    isNew = false,
  }: TrainingHooks & Pick<TaskContext, 'store'>,
  { name, checkpoints: prefix, check, what, train, storeBeside }: TrainingTask<Outcome>,
): Promise<TaskOutcome> {
  if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
  const checkpoints = new Checkpoints(store, prefix, check);
  const checkpoint = isNew ? null : await checkpoints.latest();
  const onCheckpoint = (bytes: Uint8Array, round: number): void =>
    checkpoints.put(bytes, round, (error) => onCheckpointFailure?.(error));
  const outcome = await train(checkpoint, { signal, onProgress, onCheckpoint, checkpointSeconds, what }).finally(() =>
    checkpoints.stored(),
  );
  if (!outcome.finished) {
    if (outcome.bytes !== null && outcome.rounds > 0) onCheckpoint(outcome.bytes, outcome.rounds);
    await checkpoints.stored();
    throw interruptedAfter(outcome.rounds, what);
  }
  await storeBeside?.(outcome);
  const stored = await store.put(name, outcome.bytes!);
  // those of another worker that trained it at the same time go with the run's leftovers
  await checkpoints.clear();
  return { stored, progress: outcome.progress };
}

/** A task that was asked to stop, and goes on when the run does. */
export function interruptedAfter(rounds: number, where: string): PipelineError {
  return new PipelineError('interrupted', {
    got: `a request to stop after ${String(rounds)} rounds`,
    expected: 'time to finish',
    where,
    remedy: 'Run again: it goes on from what is stored.',
  });
}
