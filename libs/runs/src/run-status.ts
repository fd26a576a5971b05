import type { NetworkChoice, RunSpecification, SelectionMethod } from '@orchard/contracts';
import type { SelectedFigures } from './selected-figures.js';

/** Where a run is. `done`, `failed` and `cancelled` are ends: nothing happens any more until somebody asks for it. */
export const runStates = [
  'training',
  'selecting',
  'refitting',
  'assembling',
  'done',
  'failed',
  'cancelled',
  'deleting',
] as const;

export type RunState = (typeof runStates)[number];

/** The kinds of work that a run is made of, in their order. */
export const workStages = ['train', 'select', 'refit', 'assemble'] as const;

export type WorkStage = (typeof workStages)[number];

/** Pieces of work of one stage; their sum is `total`. `waiting` has not begun, whether it is in the queue or not. */
export interface StageCounts {
  readonly total: number;
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
  readonly quarantined: number;
}

/** A piece of work that was given up after its attempts. `resume` tries it again. */
export interface QuarantinedWork {
  readonly stage: WorkStage;
  /** The stored dimension; null where the work is the whole run's. */
  readonly dimension: number | null;
  readonly attempts: number;
  readonly code: string;
  readonly reason: string;
  readonly stack: string | null;
}

/** What is always known of a run, from a few small objects. */
export interface RunOverview {
  readonly id: string;
  readonly state: RunState;
  /** ISO 8601, of the submission that began this life of the run. */
  readonly submittedAt: string;
  /** As last submitted or selected. */
  readonly choice: NetworkChoice;
  /** Why a run is `failed`, in a sentence. */
  readonly reason: string | null;
}

export interface RunStatus extends RunOverview {
  readonly specification: RunSpecification;
  /** Every network that was asked for, in the order of asking. */
  readonly choices: readonly NetworkChoice[];
  /** Those that are stored. */
  readonly networks: readonly NetworkChoice[];
  /** Null where the run has no such stage (`refit` of a run without one). */
  readonly stages: Readonly<Record<WorkStage, StageCounts | null>>;
  /** Trees grown or refitted a second by all workers, over the last half minute. */
  readonly treesPerSecond: number;
  /** By the cost of what is done and left in this stage; null while nothing is known. */
  readonly secondsLeft: number | null;
  /**
   * Mean nats a validation row of the network that the best rounds so far would make; a dimension that has none yet
   * counts as -ln 2. Null beyond training.
   */
  readonly logLikelihood: number | null;
  /** What each selection chose; null until they are known. */
  readonly selections: Readonly<Record<SelectionMethod, SelectedFigures>> | null;
  readonly quarantined: readonly QuarantinedWork[];
  /** What stands in the way without being an end, e.g. that no worker has the memory for the data. */
  readonly notices: readonly string[];
}
