import { noProgress, taskNames, type Job, type Task, type TaskDetail, type TaskProgress } from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import {
  concurrently,
  Kept,
  keptDocuments,
  NoRoom,
  openRun,
  type Families,
  type ResidentData,
  type Run,
  type TaskContext,
} from '@orchard/pipeline';
import { returned, type BatchResult, type HeldJob, type JobResult, type WorkerPresence } from '@orchard/queue';
import type { RunLog, TaskLedger } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNearOthers } from './near-others.js';
import { isStoreRefusal, type Standing } from './standing.js';

export interface ProcessorPorts {
  readonly store: ObjectStore;
  readonly families: Families;
  readonly ledger: TaskLedger;
  readonly resident: Pick<ResidentData, 'compute'>;
  /** Where short tasks compute. */
  readonly short: Pick<ResidentData, 'compute'>;
  /** Of this worker, for attempts that fail. */
  readonly name: string;
  readonly standing: Pick<Standing, 'stored'>;
  /** The other workers that take tasks of this pool. */
  readonly others: () => Promise<readonly WorkerPresence[]>;
  /** Whether this machine has a data set. */
  readonly isCached: (dataset: string) => Promise<boolean>;
  readonly log: RunLog;
  readonly checkpointSeconds: number | undefined;
  /** How the bucket of a source is reached. @throws Refusal `denied-source` where this worker may not read it */
  readonly sources?: TaskContext['sources'];
  /**
   * A refused job is kept for so long, else this process would take every job from the queue before others get one.
   *
   * @default 3000
   */
  readonly refusalMilliseconds?: number;
  readonly observe: (kind: string, outcome: string, seconds: number, trees: number) => void;
}

/** Waits before a job is tried again, by others or here. */
const wait = { away: 3_000, busy: 2_000, refused: 1_000, denied: 10_000 } as const;
/**
 * For how long a refused job is kept. The process that waits longest gets a job, and each starts to wait anew every
 * five seconds: this one shall have waited less than the others when the job comes again, and not each time at the same
 * point of their five seconds.
 */
const usualRefusalMilliseconds = 3_000;
/** After this a task of a kind that did not fit is tried once more. */
const refusedMilliseconds = 60_000;
/** Tasks of a batch that are under way at once. */
const batchedAtOnce = 4;
const dropped: JobResult = { ...returned(null, 0), outcome: 'dropped' };
const storedResult: JobResult = { ...returned(null, 0), outcome: 'stored' };
/** For how long a task that failed here is left to others, where there are any: it may be this worker's fault. */
const failedHereMilliseconds = 60_000;
/** For how long tasks of a kind are not begun after the store refused one of them. */
const deniedMilliseconds = 10_000;
/** For how long a job of another release is reported. */
const strangeMilliseconds = 60_000;

/**
 * Takes one job from beginning to end. What is not the task's fault (the store away, no memory, another release, the
 * end of this process) gives the job back, which counts as no attempt; what the run no longer wants is dropped;
 * everything else counts.
 */
export class TaskProcessor {
  /**
   * Tasks that did not fit, by run and kind: what another kind needs may be less, and what a run needs may change with
   * its release.
   */
  readonly #refused = new Kept<{ readonly run: string; readonly needs: number }>({
    milliseconds: refusedMilliseconds,
    most: 1_000,
  });
  readonly #failedHere = new Kept<true>({ milliseconds: failedHereMilliseconds, most: 10_000 });
  /** Jobs that were left to workers with their data. */
  readonly #left = new Kept<true>({ milliseconds: failedHereMilliseconds, most: 10_000 });
  /** What the store refused, by run and kind. */
  readonly #denied = new Kept<{ readonly reason: string }>({ milliseconds: deniedMilliseconds, most: 1_000 });
  #strange: { readonly why: string; readonly at: number } | null = null;
  readonly #runs = new Kept<Run>({ ...keptDocuments, most: 32 });

  constructor(private readonly ports: ProcessorPorts) {}

  /** Runs of which a kind of task did not fit of late, and the bytes that it needs. */
  get refused(): ReadonlyMap<string, number> {
    const needs = new Map<string, number>();
    for (const one of this.#refused.values()) needs.set(one.run, Math.max(one.needs, needs.get(one.run) ?? 0));
    return needs;
  }

  /** Why jobs are given back that belong to another release; null where none were of late. */
  get strange(): string | null {
    const { why, at } = this.#strange ?? { why: null, at: -Infinity };
    return performance.now() - at < strangeMilliseconds ? why : null;
  }

  process = async (held: HeldJob): Promise<JobResult> => {
    const { ledger, observe, log } = this.ports;
    const { task, batch } = held.job;
    const begun = performance.now();
    try {
      const strange = this.#strangeness(held);
      if (strange !== null) return await this.#refuse(held, strange);
      // which task of a batch its worker died of is unknown: each is tried alone, and counts for itself
      if (held.loss !== null && batch !== undefined) return returned(null, 0);
      if (held.loss !== null) await ledger.recordLoss(task, held.loss, held.lostBy);
      if (!(await ledger.isWanted(task.run))) return dropped;
      const denied = this.#denied.get(kindOf(task));
      if (denied !== undefined) return returned(denied.reason, wait.denied);
      if (await this.#isForOthers(task)) return await this.#leaveToOthers(held);
      if (await this.#isLeftToNearer(held)) return await this.#leaveToOthers(held);
      if (batch !== undefined) return await this.#batch(held, batch);
      const progress = await this.#compute(held, task, held.job.detail);
      return { ...storedResult, progress, seconds: secondsSince(begun) };
    } catch (error) {
      if (held.signal.aborted) {
        observe(task.kind, String(held.signal.reason), secondsSince(begun), 0);
        if (held.signal.reason === 'run-stopped')
          return (await this.#isStillWanted(task.run)) ? returned(null, 0) : dropped;
        throw error;
      }
      if (error instanceof NoRoom) return this.#noRoom(held, error);
      if (isStoreRefusal(error)) return this.#deniedBy(held, error);
      if (isRetryable(error)) {
        log.warn({ job: held.id, err: error }, 'the task cannot be done now; the job is handed back');
        return returned(messageOf(error), wait.away);
      }
      // of a batch every task counts its own
      if (batch === undefined && !(await this.#hasCounted(held, task, error, begun))) return dropped;
      throw error;
    }
  };

  /**
   * Tasks that are one job because each is short. What comes of one touches no other: it is stored, or fails and is
   * counted, under its own name. Some are under way at once, so that threads compute while others are stored.
   */
  async #batch(held: HeldJob, batch: NonNullable<Job['batch']>): Promise<JobResult> {
    const { job, signal } = held;
    const begun = performance.now();
    const stored: BatchResult['stored'] = [];
    const failed: BatchResult['failed'] = [];
    const trees = (): number => stored.reduce((sum, [, own]) => sum + own, 0);
    let back: JobResult | null = null;
    await concurrently(batch, batchedAtOnce, async ({ key, detail }) => {
      if (back !== null) return;
      const task = { ...job.task, key };
      const ownBegun = performance.now();
      try {
        const progress = await this.#compute(held, task, detail);
        stored.push([key, progress.trees, progress.nats]);
        held.report({ share: stored.length / batch.length, trees: trees(), nats: null });
      } catch (error) {
        if (signal.aborted || error instanceof NoRoom) throw error;
        if (isStoreRefusal(error)) back = this.#deniedBy(held, error);
        else if (isRetryable(error)) back = returned(messageOf(error), wait.away);
        else if (await this.#hasCounted(held, task, error, ownBegun)) failed.push([key, codeOf(error)]);
        else back = dropped;
      }
    });
    const { outcome, reason, waitMilliseconds } = (back as JobResult | null) ?? storedResult;
    if (outcome === 'dropped') return dropped;
    const progress = { share: stored.length / batch.length, trees: trees(), nats: null };
    return {
      ...storedResult,
      progress,
      seconds: secondsSince(begun),
      reason,
      waitMilliseconds,
      batch: { stored, failed },
    };
  }

  /** @returns what came of a task that is stored now */
  async #compute(held: HeldJob, task: Task, detail: TaskDetail): Promise<TaskProgress> {
    const { id, job, isShort, isFirst, signal, report } = held;
    const { store, families, resident, short, log, checkpointSeconds, sources, observe } = this.ports;
    const begun = performance.now();
    const run = await this.#run(task.run);
    const refused = this.#refused.get(kindOf(task));
    if (refused !== undefined) throw new NoRoom(refused.needs, false);
    const family = families.of(run.specification);
    const context: TaskContext = {
      store,
      compute: (isShort ? short : resident).compute(family.computations),
      isNew: isFirst && job.isNew,
      signal,
      checkpointSeconds,
      withReport: true,
      sources,
      ...(job.batch === undefined && { onProgress: report }),
      onCheckpointFailure: (error) => {
        log.warn({ job: id, err: error }, 'a checkpoint could not be stored; the task goes on without it');
      },
    };
    const { progress = noProgress } = await family.handlers[task.kind]!(context, run, task, detail);
    this.ports.standing.stored();
    observe(task.kind, 'stored', secondsSince(begun), progress.trees);
    return progress;
  }

  /** Counts an attempt that failed. @returns false where the task is not wanted any more */
  async #hasCounted(held: HeldJob, task: Task, error: unknown, begun: number): Promise<boolean> {
    const { ledger, observe, log } = this.ports;
    // its artefacts may have been deleted under its hands
    if (!(await this.#isStillWanted(task.run))) return false;
    log.error({ job: held.id, task: taskNames.work(task), err: error }, 'an attempt failed');
    observe(task.kind, 'failed', secondsSince(begun), 0);
    this.#failedHere.set(taskNames.job(task), true);
    await ledger.recordFailure(task, error, this.ports.name).catch((cause: unknown) => {
      log.error({ job: held.id, err: cause }, 'an attempt could not be counted');
    });
    this.#runs.delete(task.run);
    return true;
  }

  /** Why this program cannot do a job; null where it can. */
  #strangeness({ job }: HeldJob): string | null {
    const { families } = this.ports;
    if (job.numericsVersion !== NUMERICS_VERSION)
      return `it is of numerics version ${job.numericsVersion}, this worker computes version ${NUMERICS_VERSION}`;
    if (!families.has(job.family)) return `it is of the model ${job.family}, which this worker does not know`;
    const kinds = families.of(job).handlers;
    return Object.hasOwn(kinds, job.task.kind)
      ? null
      : `it is a ${taskNames.words(job.task)}, which this worker does not know`;
  }

  async #run(id: string): Promise<Run> {
    const known = this.#runs.get(id);
    if (known !== undefined) return known;
    const run = await openRun(this.ports.store, id);
    this.#runs.set(id, run);
    return run;
  }

  /** What the store refuses is not the fault of a task: it goes back, and counts as nothing. */
  #deniedBy({ id, job }: HeldJob, error: unknown): JobResult {
    const reason = messageOf(error);
    this.ports.log.warn({ job: id, err: error }, 'the store refuses what the task needs; the job is handed back');
    this.#denied.set(kindOf(job.task), { reason });
    return returned(reason, wait.denied);
  }

  /** A task that failed here is tried by another worker next, where there is one. */
  async #isForOthers(task: Task): Promise<boolean> {
    return this.#failedHere.has(taskNames.job(task)) && (await this.ports.others()).length > 0;
  }

  /** A task whose data another worker has is left to it once: it may still not come for it. */
  async #isLeftToNearer({ id, job: { task } }: HeldJob): Promise<boolean> {
    if (this.#left.has(id)) return false;
    const { train } = (await this.#run(task.run)).datasets;
    if (!(await isNearOthers(train, this.ports))) return false;
    this.#left.set(id, true);
    return true;
  }

  async #leaveToOthers({ signal }: HeldJob): Promise<JobResult> {
    await this.#keepRefused(signal);
    return returned(null, signal.aborted ? 0 : wait.refused);
  }

  async #noRoom(held: HeldJob, error: NoRoom): Promise<JobResult> {
    if (error.isPassing) return returned(null, wait.busy);
    const { task } = held.job;
    const { run } = task;
    if (!this.#refused.has(kindOf(task))) {
      this.ports.log.warn(
        { run, needs: error.needs },
        'the run needs more memory than this worker has; left to others',
      );
      this.#refused.set(kindOf(task), { run, needs: error.needs });
    }
    return this.#refuse(held, null);
  }

  async #refuse({ id, job, signal }: HeldJob, strange: string | null): Promise<JobResult> {
    if (strange !== null) {
      this.ports.log.warn({ job: id, run: job.task.run }, `a job is given back: ${strange}`);
      this.#strange = { why: strange, at: performance.now() };
    }
    await this.#keepRefused(signal);
    return returned(strange === null ? null : `A job was given back: ${strange}.`, signal.aborted ? 0 : wait.refused);
  }

  async #keepRefused(signal: AbortSignal): Promise<void> {
    const { refusalMilliseconds = usualRefusalMilliseconds } = this.ports;
    await sleep(refusalMilliseconds, undefined, { signal }).catch(() => undefined);
  }

  /** Where the store cannot say, it is: the job will come again. */
  #isStillWanted(run: string): Promise<boolean> {
    return this.ports.ledger.isWanted(run, { now: true }).catch(() => true);
  }
}

const kindOf = ({ run, kind }: Task): string => `${run} ${kind}`;

const secondsSince = (begun: number): number => (performance.now() - begun) / 1_000;

const isRetryable = (error: unknown): boolean => (error as { retryable?: unknown } | null)?.retryable === true;

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'unexpected';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
