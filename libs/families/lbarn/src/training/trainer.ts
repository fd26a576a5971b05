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
import type { Call, ComputeHooks } from '@orchard/pipeline';
import { decodeConditional, encodeConditional, type StoredConditional } from '../artefacts/conditional-codec.js';

/** The work of one conditional. All of it can be posted to a thread. */
export type ConditionalTask = {
  /** The stored dimension, for the artefact. */
  readonly dimension: number;
  readonly position: number;
  readonly options: BoostingOptions;
} & (
  | { readonly stage: 'train'; /** A checkpoint to go on from. */ readonly checkpoint: Uint8Array | null }
  | {
      /** `retrain` grows as many trees anew, and takes of the artefact what its validation rows chose. */
      readonly stage: 'refit' | 'retrain';
      /** The artefact whose trees' structures are kept, the first `rounds` of them. */
      readonly structures: Uint8Array;
      /** Of that artefact, for the message that it is damaged. */
      readonly name: string;
      readonly rounds: number;
    }
);

/** What came of a task, or of as much of it as there was time for. */
export interface ConditionalOutcome {
  /** The artefact: of the finished conditional, or a checkpoint where it was stopped. */
  readonly bytes: Uint8Array;
  readonly finished: boolean;
  /** All rounds so far, those of a checkpoint included. */
  readonly rounds: number;
  readonly progress: TaskProgress;
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

/** Trains in the calling thread, which does nothing else meanwhile: for tests, tools and very small data. */
export function trainerHere(kernel: Kernel, data: TrainingData): Trainer {
  return {
    // the executor turns whatever is thrown into a rejection
    run: (task, hooks = {}) =>
      new Promise((resolve) => {
        const isCancelled = (): boolean => hooks.signal?.aborted ?? false;
        resolve(runTask(kernel, data, task, { ...hooks, onCheckpoint: hooks.onCheckpoint ?? null, isCancelled }));
      }),
  };
}

export interface RunningHooks {
  readonly isCancelled: () => boolean;
  readonly onProgress?: ComputeHooks['onProgress'];
  /** Called with a checkpoint now and then, the newest replacing those before; null where none are wanted. */
  readonly onCheckpoint: ((bytes: Uint8Array, rounds: number) => void) | null;
  /**
   * Seconds until the first checkpoint; each later one waits for at least half the time that its dimension took so far.
   * @default 30
   */
  readonly checkpointSeconds?: number | undefined;
}

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
  { isCancelled, onProgress, onCheckpoint, checkpointSeconds = 30 }: RunningHooks,
): ConditionalOutcome {
  const { dimension, position, options } = task;
  const checkpoint = task.checkpoint === null ? null : decodeConditional(task.checkpoint, 'checkpoint');
  const oldRounds = checkpoint === null ? 0 : roundsOf(checkpoint);
  const started = performance.now();
  let bestValid = -Infinity;
  let seen = 0;
  let resumeFrom = checkpoint;
  for (;;) {
    const begun = performance.now();
    // going on replays the trees so far: spacing checkpoints by time spent keeps that a small share of the whole
    const due = begun + Math.max(checkpointSeconds * 1000, (begun - started) / 2);
    const result = trainConditional(kernel, data, position, options, {
      cancelled: () => isCancelled() || (onCheckpoint !== null && performance.now() >= due),
      onProgress: (rounds, { valid }) => {
        for (; valid !== null && seen <= rounds; seen++) bestValid = Math.max(bestValid, valid[seen]!);
        onProgress?.(progressAt(rounds, oldRounds, options.rounds, valid === null ? null : bestValid));
      },
      ...(resumeFrom !== null && { resumeFrom }),
    });
    const rounds = roundsOf(result);
    const bytes = encodeConditional({ ...result, dimension });
    if (result.finished || isCancelled()) {
      const valid = result.curves.valid?.reduce((best, point) => Math.max(best, point), -Infinity) ?? null;
      const progress = progressAt(rounds, oldRounds, result.finished ? rounds : options.rounds, valid);
      return { bytes, finished: result.finished, rounds, progress };
    }
    onCheckpoint?.(bytes, rounds);
    resumeFrom = { ...result, dimension };
  }
}

/** On pooled rows, for as many rounds as were chosen before. Without checkpoints: what is stopped begins anew. */
function refit(
  kernel: Kernel,
  data: TrainingData,
  task: ConditionalTask & { stage: 'refit' | 'retrain' },
  { isCancelled, onProgress }: RunningHooks,
): ConditionalOutcome {
  const { dimension, position, options, rounds } = task;
  const trained = decodeConditional(task.structures, task.name);
  const own = refitOptions(options, trained);
  const hooks: TrainingHooks = {
    cancelled: isCancelled,
    onProgress: (done) => onProgress?.(progressAt(done, 0, rounds, null)),
  };
  const result =
    task.stage === 'refit'
      ? refitConditional(kernel, data.pooled(), position, boostedTrees(trained, rounds), own, hooks)
      : trainConditional(kernel, data.pooled(), position, own, { ...hooks, untilRound: rounds });
  const done = roundsOf(result);
  const finished = result.finished || done === rounds;
  const bytes = encodeConditional({ ...result, finished, dimension });
  return { bytes, finished, rounds: done, progress: progressAt(done, 0, rounds, null) };
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
