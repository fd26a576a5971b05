import type { Kernel, TrainingDataHandle } from '@orchard/kernel';
import type { ConditionalProgress, ConditionalTask, TaskOutcome } from './trainer.js';

/** What a thread is started with. */
export interface ThreadStart {
  /** Its number, 0 to threads - 1: which workspace of the data is its own. */
  readonly thread: number;
  readonly kernel: Kernel['kind'];
}

/** To a thread. `data` numbers a pool's open data. */
export type ToThread =
  | {
      readonly kind: 'run';
      readonly data: number;
      /** With the first task on this data: the thread attaches to it and keeps it until it is released. */
      readonly handle: TrainingDataHandle | null;
      readonly task: ConditionalTask;
      /** One shared number: not 0 when the task is to stop. */
      readonly cancel: Int32Array;
      readonly checkpointSeconds: number | undefined;
      readonly wantsCheckpoints: boolean;
    }
  | { readonly kind: 'release'; readonly data: number };

/** From a thread; all but `ready` concern the task that it runs. */
export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: ConditionalProgress }
  | { readonly kind: 'checkpoint'; readonly bytes: Uint8Array; readonly rounds: number }
  | { readonly kind: 'done'; readonly outcome: TaskOutcome }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** An error as it can be posted: cloning would lose its code and its parts. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly got: string | undefined;
  readonly expected: string | undefined;
  readonly where: string | undefined;
  readonly remedy: string | undefined;
}

export function failureOf(error: unknown): Failure {
  const parts = (error ?? {}) as Partial<Record<keyof Failure, unknown>>;
  const text = (name: keyof Failure): string | undefined => (typeof parts[name] === 'string' ? parts[name] : undefined);
  return {
    name: text('name') ?? 'Error',
    message: text('message') ?? String(error),
    stack: text('stack'),
    code: text('code'),
    got: text('got'),
    expected: text('expected'),
    where: text('where'),
    remedy: text('remedy'),
  };
}
