import type { Task } from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** One attempt at a task, by the worker that holds it. */
export interface Attempt {
  readonly task: Task;
  readonly pool: string;
  readonly family: string;
  readonly worker: string;
  /** When the job was put into the queue, in milliseconds since 1970. */
  readonly addedAt: number;
  /** Whether a worker that had the job before has vanished, and its name where it is known. */
  readonly lostBy: string | null;
}

/** A request while it is answered. */
export interface RequestSpan {
  /** Calls `work` as part of it. */
  run(work: () => void): void;
  end(name: string, status: number): void;
}

/** The traces that programs export. A failing export never fails the work that it describes. */
export interface Telemetry {
  /** The same store, whose operations within attempts and requests are spans. */
  watch(store: ObjectStore): ObjectStore;
  /** @param outcomeOf what a result came to, as a word */
  attempt<Result>(of: Attempt, work: () => Promise<Result>, outcomeOf: (result: Result) => string): Promise<Result>;
  /** @param traceparent as the caller sent it */
  request(method: string, traceparent: string | undefined): RequestSpan;
  /** A step of what is under way. */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * The request under way is about this run and changes it, so it belongs to the run's trace; the request that began
   * the run is its root.
   */
  concerns(run: string, isBeginning: boolean): void;
  /** Writes what is left, for two seconds at most. */
  close(): Promise<void>;
}

/** Where nothing is asked for: nothing is done, and nothing was loaded. */
export const untraced: Telemetry = {
  watch: (store) => store,
  attempt: (_of, work) => work(),
  request: () => ({
    run: (work) => {
      work();
    },
    end: () => undefined,
  }),
  step: (_name, work) => work(),
  concerns: () => undefined,
  close: () => Promise.resolve(),
};
