import {
  boostedTrees,
  refitConditional,
  roundsOf,
  trainConditional,
  type BoostingOptions,
  type TrainingHooks,
} from '@orchard/logitboost';
import type { Kernel, TrainingData } from '@orchard/kernel';
import type { TaskProgress } from '@orchard/contracts';
import { greatestOf } from '@orchard/numerics';
import type { Call, ComputationContext, ComputeHooks, TrainingOutcome } from '@orchard/pipeline';
import { decodeConditional, encodeConditional, type StoredConditional } from '../artefacts/conditional-codec.js';

/** The work of one conditional. All of it can be posted to a thread. */
export type ConditionalTask = {
  /** The stored dimension, for the artefact. */
  readonly dimension: number;
  readonly position: number;
  readonly options: BoostingOptions;
} & (
  | { readonly stage: 'train'; /** A checkpoint to go on from. */ readonly checkpoint: Uint8Array | null }
  | ({
      /** The artefact whose trees' structures are kept, the first `rounds` of them. */
      readonly structures: Uint8Array;
      /** Of that artefact, for the message that it is damaged. */
      readonly name: string;
      readonly rounds: number;
    } & (
      | { readonly stage: 'refit' }
      | {
          /** Grows as many trees anew, and takes of the artefact what its validation rows chose. */
          readonly stage: 'retrain';
          readonly checkpoint: Uint8Array | null;
        }
    ))
);

/** What came of a task: there always is a checkpoint, though it may have no rounds. */
export interface ConditionalOutcome extends TrainingOutcome {
  readonly bytes: Uint8Array;
}

/** Whatever computes conditionals on data that it was given: this thread, or a pool of others. */
export interface Trainer {
  run(task: ConditionalTask, hooks?: ComputeHooks): Promise<ConditionalOutcome>;
}

/** Trains wherever a call leads, on the data that it is bound to. */
export function trainerBy(call: Call): Trainer {
  return {
    run: (task, hooks) =>
      call<ConditionalOutcome>('conditional', task, { ...hooks, what: `dimension ${task.dimension}` }),
  };
}

/** What the thread that runs a task gives it. */
export type RunningHooks = Pick<ComputationContext, 'isCancelled' | 'checkpoint'> &
  Partial<Pick<ComputationContext, 'onProgress'>>;

/** One task from start to end, or to where it is cancelled. Synchronous. */
export function runTask(
  kernel: Kernel,
  data: TrainingData,
  task: ConditionalTask,
  hooks: RunningHooks,
): ConditionalOutcome {
  return task.stage === 'train' ? train(kernel, data, task, hooks) : refit(kernel, data, task, hooks);
}

function train(
  kernel: Kernel,
  data: TrainingData,
  task: ConditionalTask & { stage: 'train' },
  { isCancelled, onProgress, checkpoint: keep }: RunningHooks,
): ConditionalOutcome {
  const { dimension, position, options } = task;
  const checkpoint = task.checkpoint === null ? null : decodeConditional(task.checkpoint, 'checkpoint');
  const oldRounds = checkpoint === null ? 0 : roundsOf(checkpoint);
  let bestValid = -Infinity;
  let seen = 0;
  const result = trainConditional(kernel, data, position, options, {
    cancelled: isCancelled,
    onProgress: (rounds, curves, soFar) => {
      const { valid } = curves();
      for (; valid !== null && seen <= rounds; seen++) bestValid = Math.max(bestValid, valid[seen]!);
      onProgress?.(progressAt(rounds, oldRounds, options.rounds, valid === null ? null : bestValid));
      keep(() => encodeConditional({ ...soFar(), dimension }), rounds);
    },
    ...(checkpoint !== null && { resumeFrom: checkpoint }),
  });
  const { finished } = result;
  const rounds = roundsOf(result);
  const bytes = encodeConditional({ ...result, dimension });
  const { valid } = result.curves;
  return {
    bytes,
    finished,
    rounds,
    progress: progressAt(rounds, oldRounds, finished ? rounds : options.rounds, valid && greatestOf(valid)),
  };
}

/** On pooled rows, for as many rounds as were chosen before. A refit has no checkpoints: stopped, it begins anew. */
function refit(
  kernel: Kernel,
  data: TrainingData,
  task: ConditionalTask & { stage: 'refit' | 'retrain' },
  { isCancelled, onProgress, checkpoint: keep }: RunningHooks,
): ConditionalOutcome {
  const { dimension, position, options, rounds } = task;
  const trained = decodeConditional(task.structures, task.name);
  const own = refitOptions(options, trained);
  const checkpoint =
    task.stage === 'retrain' && task.checkpoint !== null ? decodeConditional(task.checkpoint, 'checkpoint') : null;
  const oldRounds = checkpoint === null ? 0 : roundsOf(checkpoint);
  const hooks: TrainingHooks = {
    cancelled: isCancelled,
    onProgress: (done, _, soFar) => {
      onProgress?.(progressAt(done, oldRounds, rounds, null));
      if (task.stage === 'retrain') keep(() => encodeConditional({ ...soFar(), dimension }), done);
    },
    ...(checkpoint !== null && { resumeFrom: checkpoint }),
  };
  const result =
    task.stage === 'refit'
      ? refitConditional(kernel, data.pooled(), position, boostedTrees(trained, rounds), own, hooks)
      : trainConditional(kernel, data.pooled(), position, own, { ...hooks, untilRound: rounds });
  const done = roundsOf(result);
  const finished = result.finished || done === rounds;
  const bytes = encodeConditional({ ...result, finished, dimension });
  return { bytes, finished, rounds: done, progress: progressAt(done, oldRounds, rounds, null) };
}

/**
 * A logistic start is fitted anew with the λ that training had; where that found nothing to go by, no rows are left to
 * choose one.
 */
function refitOptions(options: BoostingOptions, { startPenalty }: StoredConditional): BoostingOptions {
  if (options.start !== 'logistic') return options;
  return startPenalty === undefined ? { ...options, start: 'base-rate' } : { ...options, startPenalty };
}

function progressAt(rounds: number, oldRounds: number, limit: number, nats: number | null): TaskProgress {
  return { share: limit === 0 ? 1 : rounds / limit, trees: rounds - oldRounds, nats };
}
