import type {
  BaseSpecification,
  DatasetFacts,
  ModelSummary,
  Pool,
  Task,
  TaskCurves,
  TaskDetail,
  TaskProgress,
  Wanted,
  RowKind,
} from '@orchard/contracts';
import { columnsIn, type BitMatrix } from '@orchard/dataset';
import type { Answers, DensityModel, HeldOutGains, JudgedGains, ModelCodec } from '@orchard/model';
import type { ChosenFacts, Reported } from '@orchard/report';
import type { ObjectStore } from '@orchard/storage';
import type { z } from 'zod';
import type { Compute, Computations } from './compute.js';
import type { RowsAtOptions } from './open-rows-at.js';
import type { RisingLikelihood } from './rising-likelihood.js';
import type { Run, RunDatasets } from './run.js';
import type { Splits } from './store-model.js';

export interface TaskKind {
  readonly kind: string;
  readonly pool: Pool;
  /** What a run is in while a task of this kind is missing: `training`. */
  readonly state: string;
  /** The folder of its artefacts, below the run's; also what people call them: `conditionals`. */
  readonly folder: string;
  /**
   * What they are called where there are many of them, so that counting them says something: `dimensions`; else null.
   */
  readonly counted: string | null;
  /**
   * The likelihood of a run that has so many tasks of this kind, as they come in; absent, or null of a run, where they
   * have none.
   */
  readonly rising?: (run: Run, tasks: number) => RisingLikelihood | null;
  /**
   * The kind whose tasks report it while tasks of this one are done: where these have a likelihood only together.
   *
   * @default this one
   */
  readonly toldBy?: string;
  /**
   * It computes what was trained anew, on more rows: its seconds are a refit's. Those of a worker's other tasks are
   * training's.
   *
   * @default false
   */
  readonly isRefit?: boolean;
}

/** A task that is missing, and what a scheduler should know of it. */
export interface PlannedTask {
  readonly task: Task;
  /** Relative to others of its kind. */
  readonly cost: number;
  /** What its handler would have to read otherwise: ids and numbers. */
  readonly detail: TaskDetail;
  /** Nothing of it is stored, not even a checkpoint. */
  readonly isNew: boolean;
}

/** What there is to do for a run, computed from the store alone. */
export interface Plan {
  /** All that is missing and could be done now, costliest first. Empty: the run is complete. */
  readonly tasks: readonly PlannedTask[];
  /** By kind, in their order: tasks in all and those that are stored; null where the run has none of that kind. */
  readonly stages: Readonly<Record<string, { readonly total: number; readonly done: number } | null>>;
  /** Of what is wanted, what can be fetched. */
  readonly complete: readonly Wanted[];
}

export interface PlanOptions {
  /** Whether a model is complete only with its report. */
  readonly withReport: boolean;
}

/** What a handler works with. */
export interface TaskContext {
  readonly store: ObjectStore;
  readonly compute: Compute;
  /** Nothing of the task is stored, as far as is known: where that is wrong work is done again, to the same bytes. */
  readonly isNew: boolean;
  /** Aborting makes the handler store what it has and reject with `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
  /** A checkpoint that could not be stored: the task goes on without it. */
  readonly onCheckpointFailure?: ((error: unknown) => void) | undefined;
  readonly checkpointSeconds?: number | undefined;
  readonly withReport: boolean;
  /**
   * How the bucket of a source is reached, where tasks may read some.
   *
   * @throws Refusal `denied-source` where this program may not read it
   */
  readonly sources?: ((source: string) => NonNullable<RowsAtOptions['s3']>) | undefined;
}

/** What a task came to; without progress where its artefact was there already. */
export interface TaskOutcome {
  readonly stored: 'exists' | 'created';
  readonly progress?: TaskProgress | undefined;
}

/** Does one task from beginning to end; does nothing where its artefact is stored. */
export type TaskHandler = (context: TaskContext, run: Run, task: Task, detail: TaskDetail) => Promise<TaskOutcome>;

/** What a report says that no run knows, and what its caller already holds. */
export interface ReportOptions extends Omit<Reported, 'splits'> {
  /** The stored dimension whose importances are drawn, where the family draws such. */
  readonly dimension?: number | undefined;
  /** The model as it is stored, which may be gigabytes, with its summary and the rows of the run. */
  readonly held?: { readonly model: DensityModel; readonly summary: ModelSummary; readonly splits: Splits } | undefined;
}

/** Rows of a run that its model was not fitted to, for judging the model by them. */
export interface HeldOut extends Omit<JudgedGains, 'gains'> {
  readonly rows: BitMatrix;
  /** Where only what the run has stored says what the model gains on them; null where the model says it. */
  readonly gains: HeldOutGains | null;
}

/** Seconds, and how sure that is. */
export interface SecondsRange {
  readonly least: number;
  readonly most: number;
}

/** What a run takes, said before anything is trained. */
export interface TrainingNeeds {
  /**
   * On how many of these threads there is room for its rows, the bytes that they take then, and those that the program
   * takes for them beside: by sizes alone.
   *
   * @throws KernelError `too-large` where not even one thread fits
   */
  memory(run: Run, threads: number): { readonly threads: number; readonly bytes: number; readonly beside: number };
  /**
   * Processor time of all its threads, by a timed sample of its own work.
   *
   * @param sample some of its rows
   * @param milliseconds how long the sample may take, about
   */
  seconds?(run: Run, sample: Splits, milliseconds: number): Promise<SecondsRange>;
}

/** A request made definite. */
export interface ResolvedRun<S = BaseSpecification, W = Wanted> {
  readonly runId: string;
  readonly specification: S;
  /** What is wanted of the run without being part of it. */
  readonly choice: W;
}

/**
 * A kind of model. Everything that laptop, cluster, status and files know of it is said here, so that a new one is one
 * lib and one line in the registry.
 *
 * The store alone says where a run is: `missing` compares what is wanted with what is stored. So no program has to
 * remember anything, and a run that was killed is where its artefacts are.
 */
export interface Family {
  readonly name: string;
  /** One line for help texts. */
  readonly description: string;
  /** The rows that its models are of. @default bits alone */
  readonly learns?: readonly RowKind[];
  /**
   * What its models of bits answer beside likelihoods and draws, as they are usually trained; some may answer more, or
   * less and say so.
   * @default conditionals by draws, the most probable row not at all
   */
  readonly answers?: Answers;
  /** What of a table's model the validation rows choose, so that they flatter it. @default nothing */
  readonly chosenByValidation?: ChosenFacts;
  /** In the order in which a run goes through them. */
  readonly kinds: readonly TaskKind[];
  /** The words of a request that say how to train and what to make of it; all optional. */
  readonly words: z.ZodObject;
  /** Of words that other families have, why this one has them not. @default no reason is given */
  readonly whyWithout?: Readonly<Record<string, string>>;
  readonly specification: z.ZodType<BaseSpecification>;
  readonly wanted: z.ZodObject;
  /** The functions that threads run for it. */
  readonly computations: Computations;
  readonly handlers: Readonly<Record<string, TaskHandler>>;

  /** The run that words mean for these data sets. @throws PipelineError `bad-request` where they do not fit together */
  resolve(words: Readonly<Record<string, unknown>>, datasets: RunDatasets): ResolvedRun;
  /** The name of what is wanted, in artefacts: `linearized-refit`. */
  wantedName(wanted: Wanted): string;
  /** The other run whose model the tasks of a run ask; absent of families that ask none. */
  askedRun?(specification: BaseSpecification): string;
  /** Whether the runs of a specification can be asked for this. @throws PipelineError `bad-request` where not */
  checkWanted?(specification: BaseSpecification, wanted: Wanted): void;
  /** What is missing of a run for all that is wanted. It looks at what is stored, so it may have barriers. */
  missing(store: ObjectStore, run: Run, wanted: readonly Wanted[], options: PlanOptions): Promise<Plan>;
  /** What a run takes of memory and time; absent of families that do not say. */
  readonly needs?: TrainingNeeds;
  /** How its model files are read. */
  readonly codec: ModelCodec;
  /** Of the other kinds of model that its runs may end in, mixtures of its own apart. @default none */
  readonly otherCodecs?: readonly ModelCodec[];
  /**
   * The artefacts of a run's tasks that are not what was written. Every one is read.
   *
   * @returns their names; models and their summaries are checked by the caller
   */
  damaged(store: ObjectStore, run: Run): Promise<readonly string[]>;
  /** The page about a model, without a time or a path: a function of the run and what is wanted. */
  report(store: ObjectStore, run: Run, wanted: Wanted, options?: ReportOptions): Promise<string>;
  /**
   * The rows that a model of a run is judged by, where models explain themselves by what they gain; null where the run
   * has none.
   */
  heldOut?(store: ObjectStore, run: Run, wanted: Wanted, model: DensityModel): Promise<HeldOut | null>;
  /** What a status shows beside its own fields: the fields while there are no results, and the results. */
  readonly results?: {
    readonly none: Readonly<Record<string, null>>;
    of(store: ObjectStore, run: Run): Promise<Readonly<Record<string, unknown>>>;
  };
  /**
   * Summed nats of the rows that validate them, by key, of stored tasks of a kind that has a {@link TaskKind.rising}
   * likelihood.
   *
   * @param keys of tasks that are stored
   */
  readNats?(store: ObjectStore, run: Run, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The curves of one stored task, in mean nats per row; null where tasks of its kind have none. */
  curvesOf?(store: ObjectStore, run: Run, task: Task): Promise<TaskCurves | null>;
}

/** The rows that a family's models are of. */
export function learnedBy({ learns = ['bits'] }: Pick<Family, 'learns'>): readonly RowKind[] {
  return learns;
}

/** Whether a family makes models of such rows; what else it asks of them its `resolve` says. */
export function isLearnedBy(family: Pick<Family, 'learns'>, facts: DatasetFacts): boolean {
  return learnedBy(family).includes(columnsIn(facts).kind);
}

/**
 * Whether a plan names every task of a kind that is not stored, so that the time to the end of them can be estimated.
 * It does not where one waits for another.
 */
export function namesAll({ tasks, stages }: Plan, kind: string): boolean {
  const { total, done } = stages[kind] ?? { total: 0, done: 0 };
  return tasks.filter(({ task }) => task.kind === kind).length >= total - done;
}

/** @throws Error where a family has no such kind: its own plan never names one */
export function kindOf(family: Family, kind: string): TaskKind {
  const found = family.kinds.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`the family ${family.name} has no tasks of kind ${kind}`);
  return found;
}

/** The kind whose tasks report the likelihood of a run while tasks of a kind are done. */
export function tellingKind(family: Family, kind: string): TaskKind {
  return kindOf(family, kindOf(family, kind).toldBy ?? kind);
}
