import type { TaskProgress } from '@orchard/contracts';
import type { Kernel } from '@orchard/kernel';
import { isRefusal, received, type PostedError, type RefusalParts } from '@orchard/refusal';
import { storageErrorCodes, type ObjectStore } from '@orchard/storage';
import { PipelineError, pipelineErrorCodes } from './errors.js';

export interface ThreadStart {
  /** Its number, 0 to threads - 1: which workspace of shared data is its own. */
  readonly thread: number;
  readonly kernel: Kernel['kind'];
}

export type ToThread =
  | {
      readonly kind: 'run';
      /** URL of the built module that exports the computations. */
      readonly module: string;
      readonly name: string;
      readonly input: unknown;
      /** The data to compute on: with the first task on it comes the handle, which is kept until it is released. */
      readonly data: { readonly number: number; readonly handle: unknown } | null;
      /** One shared number: not 0 when the task is to stop. */
      readonly cancel: Int32Array;
      readonly checkpointSeconds: number | undefined;
      readonly wantsCheckpoints: boolean;
    }
  | { readonly kind: 'release'; readonly data: number }
  | { readonly kind: 'answer'; readonly call: number; readonly result: unknown }
  | { readonly kind: 'refusal'; readonly call: number; readonly failure: PostedError };

/** The methods of a store that a thread may call: all of them. */
export type StoreMethod = keyof ObjectStore;

/** From a thread; all but `ready` concern the task that it runs. */
export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: TaskProgress }
  | { readonly kind: 'checkpoint'; readonly bytes: Uint8Array; readonly round: number }
  | {
      readonly kind: 'store';
      readonly call: number;
      readonly method: StoreMethod;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly failure: PostedError };

/** Errors that are recognised by their code, whatever their origin: what the store and this library refuse. */
const obeyed = [...storageErrorCodes, ...pipelineErrorCodes];

/**
 * The error that was posted, again as an error: a refusal of the store or of this library as it was; any other is a
 * computation that failed, with the original as its cause.
 *
 * @param what was computed, for the message
 */
export function errorOf(failure: PostedError, what: string): Error {
  const cause = received(failure);
  if (isRefusal(cause, ...obeyed)) return cause;
  const { got, expected, where, remedy } = isRefusal(cause) ? cause : unforeseen(cause);
  const place = where === undefined ? what : `${what}, ${where}`;
  return new PipelineError('training-failed', { got, expected, where: place, remedy }, { cause });
}

/** The error as the computation threw it: on its way each thread may have made it the cause of a failure of its own. */
export function failureInThread(error: unknown): unknown {
  let own = error;
  while (isRefusal(own, 'training-failed') && own.cause !== undefined) own = own.cause;
  return own;
}

function unforeseen({ message }: Error): RefusalParts {
  const remedy = 'This is a defect: please report it with the data set and options.';
  return { got: message, expected: 'a computation that succeeds', remedy };
}

/** The buffers in a message that may go with it instead of being copied: those that hold one array and nothing else. */
export function transferables(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const look = (value: unknown, depth: number): void => {
    if (value instanceof Uint8Array) {
      const { buffer } = value;
      if (buffer instanceof ArrayBuffer && buffer.byteLength === value.byteLength) found.add(buffer);
    } else if (depth > 0 && typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) look(inner, depth - 1);
    }
  };
  look(message, 2);
  return [...found];
}
