import type { Kernel } from '@orchard/kernel';
import type { TaskProgress } from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';
import type { KeepCheckpoint } from './checkpoint-clock.js';

/** What the thread that runs a computation gives it. */
export interface ComputationContext {
  /** The number of the thread, 0 to threads - 1: which workspace of the data is its own. */
  readonly thread: number;
  readonly store: ObjectStore;
  readonly kernel: Kernel['kind'];
  /** The data that the computation was asked for on, attached once a thread. */
  data<Data>(attach: (handle: unknown, thread: number) => Data): Data;
  isCancelled(): boolean;
  onProgress(progress: TaskProgress): void;
  /** To be called wherever there could be a checkpoint: one is kept now and then, and replaces those before. */
  readonly checkpoint: KeepCheckpoint;
}

/** Plain input in, plain result out: both can be posted to a thread. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a module's functions have types of their own
export type Computation = (input: any, context: ComputationContext) => unknown;

/** The functions of a family that may run on threads. */
export interface Computations {
  /** Of built code, which exports `computations`: a thread has no loader for TypeScript. */
  readonly module: URL;
  /** The same functions, to be run in this thread. */
  readonly functions: Readonly<Record<string, Computation>>;
}

export interface ComputeHooks {
  /** Aborting makes {@link ComputationContext.isCancelled} true; a computation that has not begun is not begun. */
  readonly signal?: AbortSignal | undefined;
  /**
   * One that still computes so long after it was aborted is ended with its thread, and another takes its place: what
   * looks for no sign would go on, and none waits for it. Not for what would be left half stored.
   *
   * @default never
   */
  readonly endedAfterMilliseconds?: number | undefined;
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
  readonly onCheckpoint?: ((bytes: Uint8Array, round: number) => void) | undefined;
  /** From one checkpoint to the next. @default 30 */
  readonly checkpointSeconds?: number | undefined;
  /** Buffers of the input that go to a thread instead of being copied: the caller loses them. */
  readonly transfer?: readonly ArrayBuffer[] | undefined;
  /** What is computed, in the message of a failure. @default the computation's name */
  readonly what?: string | undefined;
}

/** Data that computations share: arranged once, in memory that all threads see. */
export interface DataRequest {
  /** Equal keys are the same data. */
  readonly key: string;
  /**
   * From facts alone, before anything is loaded: on how many of `threads` threads there is room for the data, and the
   * bytes that they take then.
   *
   * @throws KernelError where not even one thread fits
   */
  fit(threads: number, bytes: number): { readonly threads: number; readonly bytes: number };
  /** The name and input of the computation that loads and arranges it for so many threads; its result is a handle. */
  arrange(threads: number): { readonly name: string; readonly input: unknown };
}

export type Call = <Result>(name: string, input: unknown, hooks?: ComputeHooks) => Promise<Result>;

/** Computes for the handlers of a family. */
export interface Compute {
  readonly call: Call;
  /** Calls `work` with a way to compute on the data, which stays while it lasts. @throws NoRoom */
  withData<Result>(request: DataRequest, work: (call: Call) => Promise<Result>): Promise<Result>;
}
