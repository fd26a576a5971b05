import {
  dimensionOfTask,
  taskLetters,
  taskNames,
  type Likelihood,
  type TaskDetails,
  type TaskGrid,
} from '@orchard/contracts';
import type { ObjectEntry, ObjectStore } from '@orchard/storage';
import { isMissing } from './datasets.js';
import { kindOf, type Family, type Plan } from './family.js';
import type { RisingLikelihood } from './rising-likelihood.js';
import type { Run } from './run.js';

/** Who has a task, and how far it is. */
export interface Holder {
  readonly worker: string | null;
  readonly share: number;
}

/**
 * What is seen of a run at one moment: what is stored of it and what is missing, what failed, and who works on what.
 */
export interface RunLook {
  readonly family: Family;
  readonly run: Run;
  readonly submittedAt: string;
  /** All that is stored below the run's name. */
  readonly entries: readonly ObjectEntry[];
  readonly plan: Plan;
  /** By the work name of the task. */
  readonly attempts: ReadonlyMap<string, TaskDetails['attempts']>;
  readonly givenUp: ReadonlySet<string>;
  readonly held: ReadonlyMap<string, Holder>;
}

/** Where each of a run's tasks is, of the kinds that have many. */
export function gridOf(look: RunLook): TaskGrid {
  const { family, run, plan, attempts, givenUp, held } = look;
  const stages = family.kinds
    .filter(({ kind, counted }) => counted !== null && (plan.stages[kind] ?? null) !== null)
    .map(({ kind, state }) => {
      const stored = storedTasks(look, kind);
      const missing = plan.tasks.filter(({ task }) => task.kind === kind).map(({ task }) => task.key);
      const keys = [...new Set([...stored.keys(), ...missing])].sort(byDimension);
      const letter = (key: string): string => {
        const work = taskNames.work({ kind, key });
        if (stored.has(key)) return taskLetters.stored;
        if (givenUp.has(work)) return taskLetters.failed;
        if (held.has(work)) return taskLetters.active;
        return attempts.has(work) ? taskLetters.retrying : taskLetters.waiting;
      };
      return { kind, state, total: plan.stages[kind]!.total, keys, states: keys.map(letter).join('') };
    });
  return { run: run.id, stages, active: [...held].map(([task, holder]) => ({ task, ...holder })) };
}

/** One task of a run by its work name; null where the run has none of that name. */
export async function taskOf(look: RunLook, store: ObjectStore, work: string): Promise<TaskDetails | null> {
  const { family, run, plan, attempts, held } = look;
  const task = taskNames.ofWork(run.id, work);
  if (task === null || !family.kinds.some(({ kind }) => kind === task.kind)) return null;
  const entry = storedTasks(look, task.kind).get(task.key) ?? null;
  const isMissingTask = plan.tasks.some(({ task: { kind, key } }) => kind === task.kind && key === task.key);
  if (entry === null && !isMissingTask) return null;
  const holder = held.get(work);
  const curves = entry === null ? null : await family.curvesOf?.(store, run, task).catch(none);
  const { names, table } = run.datasets.train;
  const dimension = dimensionOfTask(task);
  return {
    task: work,
    words: taskNames.words(task),
    name: dimension === null ? null : (table?.variables[dimension]?.name ?? names?.[dimension] ?? null),
    storedAt: entry === null ? null : new Date(entry.storedAt).toISOString(),
    bytes: entry?.size ?? null,
    worker: holder?.worker ?? null,
    share: holder?.share ?? null,
    attempts: attempts.get(work) ?? [],
    curves: curves ?? null,
  };
}

/**
 * What the model would have given the rows that validate it after each task that was stored, as the family says of what
 * such a figure is. A run whose tasks report no likelihood has no points.
 *
 * @param known validation nats of stored tasks by key, from earlier looks: what is read is added
 * @param most tasks that are read
 */
export async function likelihoodOf(
  look: RunLook,
  store: ObjectStore,
  known: Map<string, number>,
  most: number,
): Promise<Likelihood> {
  const { family, run, submittedAt } = look;
  const telling = tellingOf(look);
  if (telling === null) return noLikelihood(run.id);
  const { kind, rising, tasks } = telling;
  const stored = [...storedTasks(look, kind)].sort(([, a], [, b]) => a.storedAt - b.storedAt);
  const counted = stored.filter(([key]) => rising.counts(key));
  const fresh = counted.map(([key]) => key).filter((key) => !known.has(key));
  // what cannot be read is the business of the task that needs it
  const nats = await family.readNats?.(store, run, fresh.slice(0, most)).catch(() => null);
  for (const [key, own] of nats ?? []) known.set(key, own);
  const begun = Date.parse(submittedAt);
  let soFar = rising.before;
  let read = 0;
  const points: [number, number][] = soFar === null ? [] : [[0, soFar]];
  for (const [key, { storedAt }] of counted) {
    const own = known.get(key);
    if (own === undefined) continue;
    read++;
    soFar = rising.rise(soFar, key, own);
    if (soFar === null) continue;
    const seconds = Math.max(0, (storedAt - begun) / 1000);
    // some stores know whole seconds alone: what came in one is one point
    if (points.at(-1)?.[0] === seconds) points.pop();
    points.push([seconds, soFar]);
  }
  return { run: run.id, of: rising.of, points, read, stored: counted.length, tasks, called: rising.called };
}

/** The kind of task that reports the run's likelihood; null where none does. */
function tellingOf({ family, run, plan }: RunLook): { kind: string; rising: RisingLikelihood; tasks: number } | null {
  for (const { kind, rising } of family.kinds) {
    const stage = plan.stages[kind] ?? null;
    const told = stage === null ? null : (rising?.(run, stage.total) ?? null);
    if (told !== null) return { kind, rising: told, tasks: stage!.total };
  }
  return null;
}

/** Of a run whose tasks report none, or of which nothing can be read. */
export function noLikelihood(run: string): Likelihood {
  return { run, of: null, points: [], read: 0, stored: 0, tasks: 0, called: null };
}

/**
 * Where kinds share a folder, the one of many tasks has the keys that name a dimension, and a decision about them the
 * others: what trials say lies beside the trials.
 */
function storedTasks({ family, run, entries }: RunLook, kind: string): ReadonlyMap<string, ObjectEntry> {
  const { folder, counted } = kindOf(family, kind);
  const isCounted = counted !== null;
  const isShared = family.kinds.some((other) => other.folder === folder && (other.counted !== null) !== isCounted);
  const tasks = new Map<string, ObjectEntry>();
  for (const entry of entries) {
    const key = taskNames.keyOfArtefact(entry.name, run.id, folder);
    if (key === null || (isShared && (dimensionOfTask({ key }) !== null) !== isCounted)) continue;
    tasks.set(key, entry);
  }
  return tasks;
}

const byDimension = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

function none(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
