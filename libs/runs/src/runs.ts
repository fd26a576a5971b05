import type { DatasetFacts, NetworkChoice, RunSpecification } from '@orchard/contracts';
import type { RunOverview, RunState, RunStatus, WorkStage } from './run-status.js';

/** What people do with runs. Everything asked for is in the store before a method returns: no other memory is needed. */
export interface RunLife {
  /**
   * Begins a run, or finds it begun: the same specification is the same run. A cancelled or failed one is resumed, a
   * deleted one starts anew; a network that was not asked for before is made as well.
   *
   * @throws RunError `deleting`; PipelineError `missing-artefact` for data sets that are not there
   */
  submit(specification: RunSpecification, choice: NetworkChoice): Promise<{ id: string; created: boolean }>;
  /** @throws RunError `unknown-run` */
  status(id: string): Promise<RunStatus>;
  /** In the order of ids, a page at a time. */
  list(page?: RunPage): Promise<{ runs: readonly RunOverview[]; next: string | null }>;
  /** Stops all work within seconds; what is stored stays. Nothing where it is cancelled. @throws RunError `ended` */
  cancel(id: string): Promise<void>;
  /** Goes on with what is missing, and tries again what was quarantined. Nothing where all is well. */
  resume(id: string): Promise<void>;
  /** Asks for another network, without training anew. @throws RunError `cancelled` */
  select(id: string, choice: NetworkChoice): Promise<void>;
  /** Removes the run and all it has stored; the work of doing so is the reconciler's. */
  remove(id: string): Promise<void>;
  /**
   * The status now, then whenever it has changed, at most once a second. Ends after a status that is an end, with the
   * run's removal, or when `signal` aborts.
   */
  events(id: string, signal?: AbortSignal): AsyncIterable<RunStatus>;
}

export interface RunPage {
  readonly state?: RunState | undefined;
  /** Only runs after this id: `next` of the page before. */
  readonly after?: string | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
}

/** Data sets as a whole; single ones are registered and read by `@orchard/pipeline`. */
export interface Datasets {
  /** In the order of ids; `unreadable` are those whose stored facts are not what they should be. */
  list(page?: { after?: string | undefined; limit?: number | undefined }): Promise<{
    datasets: readonly DatasetFacts[];
    unreadable: readonly string[];
    next: string | null;
  }>;
  /** @throws RunError `dataset-in-use` while a run that is not deleted needs it; `unknown-dataset` */
  remove(id: string): Promise<void>;
}

/** Compares what should exist with what does, for ever. Any number of them at once do each other no harm. */
export interface Reconciler {
  /** Begins at once, then goes on by the queue's events and every few seconds. */
  start(): void;
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
  /** One whole pass over all runs. Errors of single runs are logged and met again in the next pass. */
  reconcileOnce(): Promise<void>;
  /** Pieces of work of all open runs as of the last pass, for metrics. */
  counts(): readonly WorkCount[];
  /** When the last whole pass ended, in milliseconds since 1970; null before the first. */
  readonly lastPassAt: number | null;
}

export interface WorkCount {
  readonly stage: WorkStage;
  readonly state: 'waiting' | 'active' | 'done' | 'quarantined';
  readonly count: number;
}

export interface Runs {
  readonly life: RunLife;
  readonly reconciler: Reconciler;
  readonly datasets: Datasets;
}

/** pino's shape, as far as it is needed. */
export interface RunLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Told of what happens, for metrics. */
export interface RunObserver {
  readonly onEnqueued?: (stage: WorkStage, jobs: number) => void;
  readonly onCompleted?: (stage: WorkStage, seconds: number, trees: number) => void;
  readonly onAttemptFailed?: (stage: WorkStage, code: string) => void;
  readonly onQuarantined?: (stage: WorkStage) => void;
  readonly onPass?: (seconds: number) => void;
}
