import type {
  BaseSpecification,
  RunOverview,
  RunSheet,
  RunStart,
  RunStatus,
  Submitter,
  Wanted,
} from '@orchard/contracts';
import type { RunDatasets } from '@orchard/pipeline';

/**
 * What people do with runs. Everything asked for is in the store before a method returns: no other memory is needed.
 */
export interface RunLife {
  /**
   * Begins a run, or finds it begun: the same specification is the same run. A cancelled or failed one is resumed, a
   * deleted one starts anew; what was not asked for before is made as well.
   *
   * @param datasets their facts, where the caller has read them
   * @param sheet who submits it and what it is called: written where it creates the run, so the first says it
   * @throws RunError `deleting`, `damaged-record`; PipelineError `missing-artefact` for data sets that are not there
   */
  submit(
    specification: BaseSpecification,
    choice: Wanted,
    datasets?: RunDatasets,
    sheet?: RunSheet,
  ): Promise<Submitted>;
  /** @throws RunError `unknown-run` */
  status(id: string): Promise<RunStatus>;
  /** A page at a time, in the order of ids or the newest first. */
  list(page?: RunPage): Promise<{ runs: readonly RunOverview[]; next: string | null }>;
  /** Stops all work within seconds; what is stored stays. Nothing where it is cancelled. @throws RunError `ended` */
  cancel(id: string): Promise<void>;
  /** Continues with what is missing, and tries again what was given up. Nothing where all is well. */
  resume(id: string): Promise<void>;
  /**
   * Drops what of a run is damaged and goes on, so that it and what is lost is computed again, to the same bytes. One
   * that has failed by a data set which is not stored again stays as it is.
   */
  repair(id: string): Promise<Repaired>;
  /** Asks for something else of a run, without training anew. @throws RunError `cancelled` */
  select(id: string, choice: Wanted): Promise<void>;
  /**
   * Removes the run and all it has stored; the work of doing so is the reconciler's.
   *
   * @throws RunError `run-in-use` while another run asks its model
   */
  remove(id: string): Promise<void>;
  /**
   * The status now, then whenever it has changed, at most once a second. Ends after a status that is an end, with the
   * run's removal, or when `signal` aborts.
   */
  events(id: string, signal?: AbortSignal): AsyncIterable<RunStatus>;
}

/** What repairing a run came to. */
export interface Repaired {
  /** Names of objects. */
  readonly dropped: readonly string[];
  /** Tasks of a run that was done whose results are not in the store any more: at least so many are done again. */
  readonly lost: number;
  /** Names of data sets that are damaged: the same rows, uploaded again, heal them. */
  readonly datasets: readonly string[];
}

/** A run that was asked for. */
export interface Submitted {
  readonly id: string;
  readonly created: boolean;
  readonly status: RunStatus;
  /** What it waits for, where it was created; null where that is not known. */
  readonly starts: RunStart | null;
}

export interface RunPage {
  readonly state?: string | undefined;
  /** The data set of the training, validation or test rows. */
  readonly dataset?: string | undefined;
  /** As it is shown of a run. */
  readonly person?: string | undefined;
  /** Part of the name, in any case. */
  readonly name?: string | undefined;
  /** `key=value`, or a key alone. */
  readonly label?: string | undefined;
  /** @default 'id' */
  readonly order?: 'id' | 'newest' | undefined;
  /** Only runs after this id: `next` of the page before. */
  readonly after?: string | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
}

export interface TaskCount {
  readonly family: string;
  readonly stage: string;
  readonly pool: 'worker' | 'selector';
  readonly state: 'waiting' | 'active' | 'done' | 'quarantined';
  readonly count: number;
}

/** pino's shape, as far as it is needed. */
export interface RunLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Called for what happens, for metrics. */
export interface RunObserver {
  readonly onEnqueued?: (stage: string, jobs: number) => void;
  readonly onCompleted?: (stage: string, seconds: number, trees: number) => void;
  /** Seconds of a thread that a person's run took, whatever came of them. */
  readonly onSpent?: (submitter: Submitter, seconds: number) => void;
  readonly onAttemptFailed?: (stage: string, code: string) => void;
  readonly onQuarantined?: (stage: string) => void;
  readonly onPass?: (seconds: number) => void;
}
