import { taskNames } from '@orchard/contracts';
import {
  artefactNames,
  createRun,
  kindOf,
  PipelineError,
  type Families,
  type Kept,
  type RunDatasets,
} from '@orchard/pipeline';
import type { JobQueues, QueuedJob, WorkerPresence } from '@orchard/queue';
import { isRefusal } from '@orchard/refusal';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import { damagedBy, failsAlike, isFinal, type AttemptLimits, type Attempts, type GivenUp } from './attempts.js';
import { deleteWhile } from './delete-while.js';
import type { Life } from './lifecycle.js';
import type { Marks } from './marks.js';
import { isForOthers } from './other-release.js';
import type { RunLog, RunObserver } from './runs.js';
import type { RunSheets } from './run-sheets.js';
import { RunCosts } from './run-costs.js';
import { seenOnce } from './seen-once.js';
import { TrackedRun } from './tracked-run.js';

/** What a reconciler and its parts work with. */
export interface ReconcilerPorts {
  readonly store: ObjectStore;
  readonly queues: JobQueues;
  readonly families: Families;
  readonly marks: Marks;
  readonly attempts: Attempts;
  readonly sheets: Pick<RunSheets, 'of'>;
  /** What is known of the data sets of runs that were submitted a moment ago, by run. */
  readonly submitted: Kept<RunDatasets>;
  readonly log: RunLog;
  readonly observer: RunObserver;
}

/** The open runs by their ids, as far as this process knows them: shared by the parts of one reconciler. */
export type TrackedRuns = Map<string, TrackedRun>;

/** `outdated` where something changed under a look, so that another should follow. */
export type Reconciled = 'settled' | 'outdated';

/**
 * Compares one run with what is stored of it: what is missing, what has failed, whether it is at an end. Keeps
 * `tracked` in step with that, marks ends and what was given up, and removes what is to be deleted.
 *
 * @param workers that are there: what one of them alone fails at is not given up while another may try
 */
export async function reconcileRun(
  ports: ReconcilerPorts,
  tracked: TrackedRuns,
  id: string,
  limits: AttemptLimits,
  workers: readonly WorkerPresence[],
): Promise<Reconciled> {
  const { store, marks, attempts, log, observer } = ports;
  const { life, marks: next, damage } = await marks.of(id);
  if (life?.standing !== 'open') {
    const known = tracked.get(id);
    tracked.delete(id);
    if (life?.standing === 'cancelled' && known !== undefined) await writeCost(ports, id, next, known);
    if (life?.standing === 'deleting') await removeArtefacts(ports, id, life, next);
    else if (damage === null) await marks.close(id);
    return 'settled';
  }
  if (isForOthers(ports.families, life)) return 'settled';
  try {
    const run = await trackedRun(ports, tracked, id, life);
    run.beginLook();
    const look = seenOnce(store, artefactNames.run(id));
    const plan = await run.family.missing(look, run.run, life.choices, { withReport: true });
    if (plan.tasks.length === 0) return await close(ports, tracked, id, next, { kind: 'done' });
    const { failures, fresh } = await attempts.giveUp(id, life.epoch, limits, look, (work) =>
      takersOf(run, work, workers),
    );
    run.endLook(life, plan, failures);
    for (const work of fresh) {
      const { reason, code } = failures.givenUp.get(work)!;
      log.warn({ run: id, work, code, reason }, 'given up after its attempts');
      observer.onQuarantined?.(taskNames.ofWork(id, work)?.kind ?? 'unknown');
    }
    const { kind } = plan.tasks[0]!.task;
    const alike = failsAlike(kind, plan.stages[kind]?.done ?? 0, failures.givenUp);
    if (alike !== null) {
      const reason = `${failures.givenUp.size} tasks failed alike and none succeeded, so the others are not tried: ${alike.reason}`;
      return await close(ports, tracked, id, next, { kind: 'failed', reason, damaged: [] });
    }
    const final = [...failures.givenUp].find(([, one]) => isFinal(one));
    if (final === undefined && !plan.tasks.every(({ task }) => failures.givenUp.has(taskNames.work(task)))) {
      // what was missing when the look began may have been completed before it ended
      return run.missing.size === 0 ? 'outdated' : 'settled';
    }
    const given = final === undefined ? failures.givenUp : new Map([final]);
    const damaged = [...given.values()].flatMap((one) => one.damaged ?? []);
    return await close(ports, tracked, id, next, { kind: 'failed', reason: reasonOf(id, given), damaged });
  } catch (error) {
    const end = endBy(error);
    if (end === null) throw error;
    return close(ports, tracked, id, next, end);
  }
}

/** The names of the workers that take such a task now. */
function takersOf(
  { run, family, needsBytes }: TrackedRun,
  work: string,
  workers: readonly WorkerPresence[],
): readonly string[] {
  const task = taskNames.ofWork(run.id, work);
  if (task === null) return [];
  const { pool } = kindOf(family, task.kind);
  return workers
    .filter((worker) => worker.pool === pool && worker.isAside !== true && worker.refused[run.id] === undefined)
    .filter(({ memoryBytes }) => pool !== 'worker' || memoryBytes >= (needsBytes ?? 0))
    .map(({ id, name = id }) => name);
}

type End = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly reason: string; readonly damaged: string[] };

async function trackedRun(
  { store, families, submitted, sheets }: ReconcilerPorts,
  tracked: TrackedRuns,
  id: string,
  life: Life,
): Promise<TrackedRun> {
  const known = tracked.get(id);
  if (known !== undefined) return known;
  // the specification is written again where a deletion of an earlier life took it away
  const created = await createRun(store, life.specification, submitted.get(id));
  const run = new TrackedRun(families.of(life.specification), created, life, await sheets.of(id));
  const isContinued = life.epoch > 0 || life.choices.length > 1;
  run.hasEnded = isContinued && (await new RunCosts(store).of(id)) !== null;
  tracked.set(id, run);
  return run;
}

/** The end that an error is to a run: waiting does not mend it. */
function endBy(error: unknown): End | null {
  const damaged = damagedBy(error);
  const isOver = error instanceof PipelineError && !error.retryable;
  const isBroken = damaged !== null || isRefusal(error, 'conflict');
  if (!isOver && !isBroken) return null;
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', reason, damaged: damaged === null ? [] : [damaged] };
}

/** Marks the end of a run, unless another decision about it was made meanwhile. */
async function close(
  ports: ReconcilerPorts,
  tracked: TrackedRuns,
  id: string,
  next: number,
  end: End,
): Promise<Reconciled> {
  const { marks, log } = ports;
  if ((await marks.append(id, next, end)) === null) return 'outdated';
  const known = tracked.get(id);
  if (known !== undefined) await writeCost(ports, id, next + 1, known);
  await marks.close(id);
  tracked.delete(id);
  log.info({ run: id, ...end }, 'the run has ended');
  return 'settled';
}

/** No end waits for it. */
async function writeCost(
  { store, log }: ReconcilerPorts,
  id: string,
  marks: number,
  { cost }: TrackedRun,
): Promise<void> {
  await new RunCosts(store).write(id, marks, cost).catch((error: unknown) => {
    log.warn({ run: id, error }, 'what the run has cost could not be stored');
  });
}

function reasonOf(run: string, givenUp: ReadonlyMap<string, GivenUp>): string {
  const [first] = givenUp;
  if (first === undefined) return 'Nothing is left that could be done.';
  const [work, { attempts, reason }] = first;
  const task = taskNames.ofWork(run, work);
  const what = task === null ? work : taskNames.words(task);
  const others = givenUp.size === 1 ? '' : `, and ${givenUp.size - 1} more`;
  return `${what.replace(/^./, (letter) => letter.toUpperCase())} was given up after ${attempts} attempts${others}: ${reason}`;
}

/** Removes all that a run has stored, and marks it as removed when no worker works on it any more. */
async function removeArtefacts(
  { store, queues, marks, log }: ReconcilerPorts,
  id: string,
  life: Life,
  next: number,
): Promise<void> {
  const own = (await queues.jobs()).filter(({ job }) => job.task.run === id);
  await letGo(queues, id, own);
  const entries = await entriesBelow(store, artefactNames.run(id));
  // a new life of the run may have begun meanwhile
  const isDeleting = async (): Promise<boolean> => (await marks.of(id)).life?.standing === 'deleting';
  if ((await deleteWhile(isDeleting, store, entries)) < entries.length) return;
  if (own.some(({ state }) => state === 'active')) return;
  if ((await store.list(artefactNames.run(id), { limit: 1 })).length > 0) return;
  await marks.append(id, next, { kind: 'removed' });
  await marks.close(id, life);
  log.info({ run: id, objects: entries.length }, 'the run is removed');
}

/** Takes a run's waiting jobs from the queue, and tells the workers to stop those in hand. */
export async function letGo(queues: JobQueues, id: string, held: readonly QueuedJob[]): Promise<void> {
  if (held.some(({ state }) => state === 'active')) await queues.requestStop(id);
  const idle = held.filter(({ state }) => state !== 'active').map((one) => one.id);
  if (idle.length > 0) await queues.remove(idle);
}
