import {
  dimensionOfTask,
  familyOf,
  modelSummarySchema,
  shownSheet,
  taskNames,
  validLogLikelihoodOf,
  type Notice,
  type RunGlance,
  type RunOverview,
  type RunStatus,
  type StageCounts,
  type TroubledTask,
  type Wanted,
} from '@orchard/contracts';
import { artefactNames, readDocument, type Families, type Family, type Plan, type Run } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import type { Failures, GivenUp, TaskFailure } from './attempts.js';
import type { Life } from './lifecycle.js';
import { isForOthers, noticeOfOthers } from './other-release.js';
import type { TaskCount } from './runs.js';
import { noFigures, type TrackedRun } from './tracked-run.js';

/** A store that is away or refuses says nothing about a run. */
export const failuresOfTheStore = ['unavailable', 'denied', 'full', 'unsupported', 'invalid-configuration'] as const;

/** What the store says of a run. */
export interface Inspection {
  readonly life: Life;
  readonly family: Family | null;
  readonly run: Run | null;
  readonly plan: Plan | null;
  /** Models that are stored, of a run without a plan: one of another release, or whose rows are gone. */
  readonly models?: readonly Wanted[];
  readonly failures: Failures;
}

export function overviewOf(id: string, life: Life, families: Families, plan: Plan | null): RunOverview {
  const { submittedAt, choice, reason, specification } = life;
  const family = familyOf(specification);
  const known = families.has(family) ? families.of(specification) : null;
  const { train } = specification;
  return { id, family, state: stateOf(life, known, plan), submittedAt, choice: { ...choice }, reason, train };
}

function stateOf({ standing }: Life, family: Family | null, plan: Plan | null): string {
  if (standing !== 'open') return standing;
  if (family === null) return 'waiting';
  const kind = plan?.tasks[0]?.task.kind;
  // all is stored, and the mark that says so is about to be made
  if (plan !== null && kind === undefined) return family.kinds.at(-1)!.state;
  return (family.kinds.find((one) => one.kind === kind) ?? family.kinds[0]!).state;
}

/**
 * @param tracked what the reconciler of this process knows besides
 * @param outages what keeps this process from seeing to any run
 * @param deletion why what a deleted run has stored is still there
 */
export async function statusOf(
  store: ObjectStore,
  families: Families,
  id: string,
  { life, family, run, plan, models = [], failures }: Inspection,
  tracked: TrackedRun | null,
  outages: readonly Notice[],
  deletion: Notice | null = null,
): Promise<RunStatus> {
  const isOpen = life.standing === 'open';
  const ofStore = isForOthers(families, life) ? [noticeOfOthers(life)] : [];
  // what the last look saw (workers, the queue) says nothing of a time in which this process sees none of it
  const seen = outages.length > 0 ? ofStore : (tracked?.notices ?? ofStore);
  const isDeleting = life.standing === 'deleting';
  const waits = isOpen
    ? [...outages, ...seen]
    : isDeleting
      ? [...outages, ...(deletion === null ? [] : [deletion])]
      : [];
  const { attempts, givenUp } = failures;
  const quarantined = [...givenUp].map(([work, given]) => [work, given.attempts, given] as const);
  const tried = [...attempts].filter(([work]) => !givenUp.has(work));
  const retrying = tried.map(([work, own]) => [work, own.length, own.at(-1)!] as const);
  // a run need not have tasks of every kind
  const first = family?.kinds.find(({ kind }) => (plan?.stages[kind] ?? null) !== null);
  const isFirstStage = plan?.tasks[0]?.task.kind === first?.kind;
  const unknown = family?.results === undefined || run === null;
  return {
    ...overviewOf(id, life, families, plan),
    specification: life.specification,
    choices: life.choices.map((choice) => ({ ...choice })),
    networks: (plan?.complete ?? models).map((choice) => ({ ...choice })),
    stages: Object.fromEntries(
      (family?.kinds ?? []).map(({ kind }) => [kind, stageCounts(kind, plan, tracked, failures)]),
    ),
    ...(tracked?.figures() ?? noFigures),
    quarantined: troubledTasks(id, family, quarantined),
    retrying: troubledTasks(id, family, isOpen ? retrying : []),
    notices: waits.map(({ message, since }) => `${message} (since ${since})`),
    waits,
    // results come after the first stage; before it, asking for them costs requests for nothing
    ...(unknown
      ? {}
      : isFirstStage
        ? family.results!.none
        : await unlessAway(family.results!.none, () => family.results!.of(store, run))),
    ...(life.standing === 'done' && family !== null
      ? { logLikelihood: await unlessAway(null, () => likelihoodOfModel(store, family, id, life.choice)) }
      : {}),
  };
}

/**
 * What of a run is read from the store for its status. Where the store is away, what is known without it is still
 * shown.
 */
async function unlessAway<Part>(without: Part, read: () => Promise<Part>): Promise<Part> {
  try {
    return await read();
  } catch (error) {
    if (isRefusal(error, ...failuresOfTheStore)) return without;
    throw error;
  }
}

/** Of the model that was asked for last, by its summary; null where that is not there, or is damaged. */
async function likelihoodOfModel(
  store: ObjectStore,
  family: Family,
  id: string,
  wanted: Wanted,
): Promise<number | null> {
  try {
    const name = artefactNames.summary(id, family.wantedName(wanted));
    return validLogLikelihoodOf(await readDocument(store, name, modelSummarySchema));
  } catch (error) {
    if (isRefusal(error, 'missing', 'damaged-artefact')) return null;
    throw error;
  }
}

/** A run that the reconciler of this process sees to, from memory alone. */
export function glanceOf(families: Families, id: string, tracked: TrackedRun): RunGlance {
  const { life, family, plan, failures } = tracked;
  const { secondsLeft, secondsLeftRange, logLikelihood } = tracked.figures();
  return {
    ...overviewOf(id, life, families, plan),
    ...shownSheet(tracked.sheet),
    stages: Object.fromEntries(family.kinds.map(({ kind }) => [kind, stageCounts(kind, plan, tracked, failures)])),
    secondsLeft,
    secondsLeftRange,
    logLikelihood,
  };
}

function stageCounts(
  kind: string,
  plan: Plan | null,
  tracked: TrackedRun | null,
  { givenUp }: Failures,
): StageCounts | null {
  const counted = plan?.stages[kind] ?? null;
  if (counted === null) return null;
  const done = Math.min(counted.total, counted.done + (tracked?.doneSinceLook(kind) ?? 0));
  const quarantined = [...givenUp.keys()].filter((work) => work.startsWith(`${kind}/`)).length;
  const own = [...(tracked?.active ?? [])].filter((job) => taskNames.ofJob(job)?.kind === kind).length;
  const active = Math.max(0, Math.min(own, counted.total - done - quarantined));
  return {
    total: counted.total,
    waiting: Math.max(0, counted.total - done - quarantined - active),
    active,
    done,
    quarantined,
  };
}

/** Tasks of all open runs, by family, kind and state. */
export function taskCounts(families: Families, runs: Iterable<TrackedRun>): readonly TaskCount[] {
  const all = [...runs];
  return families.ofRuns.flatMap((family) =>
    family.kinds.flatMap(({ kind, pool }) => {
      const sums = { waiting: 0, active: 0, done: 0, quarantined: 0 };
      for (const run of all) {
        if (run.family !== family) continue;
        const counts = stageCounts(kind, run.plan, run, run.failures);
        for (const state of Object.keys(sums) as (keyof typeof sums)[]) sums[state] += counts?.[state] ?? 0;
      }
      return Object.entries(sums).map(([state, count]): TaskCount => {
        return { family: family.name, stage: kind, pool, state: state as TaskCount['state'], count };
      });
    }),
  );
}

/** Tasks that failed, by their work names, in the order of kinds, then of dimensions. */
function troubledTasks(
  run: string,
  family: Family | null,
  troubles: readonly (readonly [work: string, attempts: number, last: GivenUp | TaskFailure])[],
): TroubledTask[] {
  const kinds = family?.kinds.map(({ kind }) => kind) ?? [];
  const place = ({ stage, dimension }: TroubledTask): number => kinds.indexOf(stage) * 1e9 + (dimension ?? 0);
  const tasks = troubles.map(([work, attempts, { code, reason, stack }]): TroubledTask => {
    const task = taskNames.ofWork(run, work);
    const dimension = task === null ? null : dimensionOfTask(task);
    return { task: work, stage: task?.kind ?? work, dimension, attempts, code, reason, stack };
  });
  return tasks.sort((a, b) => place(a) - place(b));
}
