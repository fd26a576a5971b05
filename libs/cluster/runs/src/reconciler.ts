import { taskNames, type Notice, type Pool, type RunStart, type Task } from '@orchard/contracts';
import { concurrently, Kept, keptDocuments, type RunDatasets } from '@orchard/pipeline';
import {
  RepeatedErrors,
  type BatchResult,
  type JobEvent,
  type LostJob,
  type QueuedJob,
  type WorkerPresence,
} from '@orchard/queue';
import { defaultLimits, type AttemptLimits } from './attempts.js';
import { Dispatch } from './dispatch.js';
import { Notices } from './notices.js';
import { placementOf } from './placement.js';
import { Reach, type Servers } from './reach.js';
import { letGo, reconcileRun, type ReconcilerPorts, type TrackedRuns } from './reconcile-run.js';
import { startOf } from './run-start.js';
import { RunRequests } from './run-requests.js';
import type { TaskCount } from './runs.js';
import { taskCounts } from './status.js';
import { isSmall, sizeOf } from './run-size.js';
import { secondsBesideOthers } from './time-beside-others.js';
import type { TrackedRun } from './tracked-run.js';

export interface ReconcilerSettings {
  /**
   * Between whole passes; one that takes long is followed by a pause of ten times its length, of a minute at most.
   *
   * @default 5
   */
  readonly passSeconds?: number | undefined;
  /** Threads of workers that the runs of one person may keep busy at once. @default any number */
  readonly threadsOfPerson?: number | undefined;
  readonly limits?: AttemptLimits | undefined;
  /** What the reconciler needs, where the connections know whether it answers. */
  readonly servers?: Servers | undefined;
}

const runsAtOnce = 8;
/** Jobs in the queue; at least four for each thread of the workers. */
const leastJobs = 64;
const longestPauseMilliseconds = 60_000;
/** Passes may be a minute apart, and the first tasks of a worker take longer than those that follow. */
const turnsMilliseconds = 2_000;
/** What failed may be over at any moment, so that how long it took says nothing. */
const pauseAfterFailureMilliseconds = 10_000;

/**
 * Sees to it that what should be done gets done.
 *
 * The store says what should be: the marks say which runs are open, and what of each is missing is looked up. Redis
 * only holds what is being done about it. A whole pass reconciles every open run and puts right what differs, whatever
 * happened since the last: jobs that Redis lost, tasks that failed, runs that are complete, cancelled or to be deleted.
 * Between passes the queue's events keep the windows filled. All writing is create-only or deleting, so any number of
 * these may run at once.
 */
export class StoreReconciler {
  /** When the last whole pass ended, in milliseconds since 1970; null before the first. */
  lastPassAt: number | null = null;
  readonly #ports: ReconcilerPorts;
  readonly #passSeconds: number;
  readonly #tracked: TrackedRuns = new Map();
  readonly #requests: RunRequests;
  readonly #dispatch: Dispatch;
  readonly #notices = new Notices();
  readonly #reach: Reach;
  /** What stands in the way of all runs, beside servers that do not answer: the last pass failed. */
  #passFailure: Notice | null = null;
  /** Passes of an outage fail alike every few seconds. */
  readonly #failures: RepeatedErrors;
  #turnsForeseenAt = -Infinity;
  #workers: readonly WorkerPresence[] = [];
  /** Pools of which the last pass found no program that takes tasks. */
  #withoutTakers: ReadonlySet<Pool> = new Set();
  #isPaused = false;
  readonly #listeners = new Set<(run: string) => void>();
  #isStopped = true;
  #naming: Promise<void> | null = null;
  #stopNaming = new AbortController();
  #passTimer: NodeJS.Timeout | null = null;
  #working: Promise<void> = Promise.resolve();
  #stopListening: (() => void) | null = null;

  constructor(given: Omit<ReconcilerPorts, 'submitted'>, settings: ReconcilerSettings) {
    const ports = { ...given, submitted: new Kept<RunDatasets>({ ...keptDocuments, most: 100 }) };
    this.#ports = ports;
    this.#failures = new RepeatedErrors(ports.log);
    const { passSeconds = 5, limits = defaultLimits, servers = {}, threadsOfPerson } = settings;
    this.#passSeconds = passSeconds;
    this.#dispatch = new Dispatch(ports, this.#tracked, leastJobs, passSeconds * 1000, threadsOfPerson);
    this.#reach = new Reach(servers);
    this.#reach.onChange(() => {
      this.#reachChanged();
    });
    this.#requests = new RunRequests({
      reconcile: async (id) => {
        if ((await reconcileRun(ports, this.#tracked, id, limits, this.#workers)) === 'outdated')
          this.#requests.again(id);
        this.#notices.reconciled(id);
      },
      onError: (id, error) => {
        this.#notices.failed(id, error);
        const run = this.#tracked.get(id);
        if (run !== undefined) run.notices = this.#notices.of(run, this.#workers, this.#isPaused);
        ports.log.error({ run: id, error }, 'a run could not be reconciled');
      },
      onEnd: (id) => {
        this.#changed(id);
      },
      isStopped: () => this.#isStopped,
    });
  }

  /** Begins at once, then goes on by the queue's events and every few seconds. */
  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#stopNaming = new AbortController();
    this.#dispatch.start();
    this.#stopListening = this.#ports.queues.onEvent((event) => {
      this.#record(event);
    });
    this.#schedulePass(0);
  }

  /** Resolves when nothing of it is under way any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening?.();
    if (this.#passTimer !== null) clearTimeout(this.#passTimer);
    this.#dispatch.stop();
    this.#stopNaming.abort();
    await Promise.allSettled([this.#naming, this.#working, this.#requests.settled()]);
  }

  tracked(id: string): TrackedRun | null {
    return this.#tracked.get(id) ?? null;
  }

  /** The open runs, as of the last pass. */
  allTracked(): readonly (readonly [id: string, run: TrackedRun])[] {
    return [...this.#tracked];
  }

  /**
   * Something about this run was decided: reconcile it now rather than at the next pass.
   *
   * @param datasets what is known of its data sets, where the caller has read that
   */
  requestReconcile(id: string, datasets?: RunDatasets): void {
    if (this.#isStopped) return;
    if (datasets !== undefined) this.#ports.submitted.set(id, datasets);
    void this.#requests.of(id).then(() => {
      this.#dispatch.soon();
    });
  }

  /**
   * What a run that was submitted now waits for; null before the first pass, and while store or Redis are away: workers
   * that nothing is heard of are not missing.
   */
  startOf(id: string): RunStart | null {
    if (this.lastPassAt === null || this.outages().length > 0) return null;
    const others = [...this.#tracked].flatMap(([other, run]) => (other === id ? [] : [run]));
    const datasets = this.#ports.submitted.get(id);
    const shortPlaces = shortPlacesOf(this.#workers);
    const areForShort =
      shortPlaces > 0 && datasets !== undefined && isSmall(sizeOf(datasets)) && others.some((run) => !run.isShort);
    return startOf(others, { threads: areForShort ? shortPlaces : threadsOf(this.#workers, 'worker'), areForShort });
  }

  /** What keeps this coordinator from seeing to any run. */
  outages(): readonly Notice[] {
    const away = this.#reach.notices();
    return away.length === 0 && this.#passFailure !== null ? [this.#passFailure] : away;
  }

  /** Why a run that is being deleted is still there; null where it is under way. */
  deletionOf(id: string): Notice | null {
    return this.#notices.ofDeletion(id);
  }

  onChange(listener: (run: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tasks of all open runs as of the last pass, for metrics. */
  counts(): readonly TaskCount[] {
    return taskCounts(this.#ports.families, this.#tracked.values());
  }

  /** One whole pass over all open runs. Errors of single runs are logged and met again in the next pass. */
  async reconcileOnce(): Promise<void> {
    const begun = performance.now();
    const { marks, queues, observer, store, log } = this.#ports;
    const open = await marks.open();
    this.#workers = await queues.workers();
    const threads = threadsOf(this.#workers, 'worker');
    this.#dispatch.workers = threads;
    this.#dispatch.selectors = threadsOf(this.#workers, 'selector');
    this.#dispatch.threads = Math.max(1, threads);
    this.#dispatch.target = Math.max(leastJobs, 4 * threads);
    if (!marks.areEndsNamed) this.#nameEnds();
    const isOpen = new Set(open);
    for (const [id, { life }] of this.#tracked) {
      if (isOpen.has(id)) continue;
      await marks.closeAfterOthers(id, life);
      this.#tracked.delete(id);
    }
    await concurrently(open, runsAtOnce, (id) => this.#requests.of(id));
    for (const { refused } of this.#workers)
      for (const [id, bytes] of Object.entries(refused)) {
        const run = this.#tracked.get(id);
        if (run !== undefined) run.needsBytes = Math.max(bytes, run.needsBytes ?? 0);
      }
    this.#dispatch.placement = placementOf(this.#tracked.values(), this.#workers);
    const shortPlaces = shortPlacesOf(this.#workers);
    this.#dispatch.shortPlaces = shortPlaces;
    const { largeBytes } = this.#dispatch.placement;
    await this.#countLosses(await queues.setLanes({ largeBytes, hasShort: shortPlaces > 0 }));
    await this.#releaseUntaken();
    const held = await queues.jobs();
    this.#takeOver(held);
    await this.#stopUnwanted(held);
    this.#isPaused = await queues.isPaused();
    this.#foreseeTurns();
    this.#notices.keepOnly(new Set([...open, ...this.#tracked.keys()]));
    for (const [id, run] of this.#tracked) {
      run.notices = [...this.#reach.warnings(), ...this.#notices.of(run, this.#workers, this.#isPaused)];
      await run.learn(store).catch((error: unknown) => {
        log.warn({ run: id, error }, 'what is stored could not be read for the likelihood so far');
      });
      this.#changed(id);
    }
    await this.#dispatch.now();
    this.lastPassAt = Date.now();
    observer.onPass?.((performance.now() - begun) / 1000);
  }

  /**
   * Frees what waits in the queue of a pool of which no program is there, or was held by one that is gone: only a
   * program of the pool would notice. Done at the second pass that finds none, since one that starts anew is away for a
   * moment. Workers can do what selectors do, so that does not wait for them.
   */
  async #releaseUntaken(): Promise<void> {
    const hasWorkers = this.#dispatch.workers > 0;
    const without = new Set<Pool>();
    if (!hasWorkers) without.add('worker');
    if (this.#dispatch.selectors === 0) without.add('selector');
    for (const pool of without) {
      if (!this.#withoutTakers.has(pool)) continue;
      await this.#countLosses(await this.#ports.queues.release(pool, pool === 'selector' && hasWorkers));
    }
    this.#withoutTakers = without;
  }

  /** Which task of a batch its worker died of is unknown: each is tried alone next, and counts for itself. */
  async #countLosses(lost: readonly LostJob[]): Promise<void> {
    for (const { job, loss, worker } of lost) {
      const run = this.#tracked.get(job.task.run);
      if (run === undefined || job.batch !== undefined) continue;
      await this.#ports.attempts.recordLoss(job.task, run.life.epoch, loss, worker);
    }
  }

  /** Beside the passes: of a store of an older release every run is looked at. */
  #nameEnds(): void {
    this.#naming ??= this.#ports.marks
      .nameEnds(this.#stopNaming.signal)
      .catch((error: unknown) => {
        this.#ports.log.warn(
          { error },
          'the runs that have ended could not all be named; tried again at the next pass',
        );
      })
      .finally(() => {
        this.#naming = null;
      });
  }

  /** How long the waiting tasks of each run take beside those of the others: at passes, and as tasks are done. */
  #foreseeTurns(): void {
    const now = performance.now();
    if (now - this.#turnsForeseenAt < turnsMilliseconds) return;
    this.#turnsForeseenAt = now;
    const waiting = new Map([...this.#tracked].map(([id, run]) => [id, run.waitingSeconds]));
    // workers hold more jobs than they have threads, and what a job takes counts from when it is held
    const held = [...this.#tracked.values()].reduce((sum, run) => sum + run.threads, 0);
    const atOnce = Math.max(this.#dispatch.workers, held);
    for (const [id, run] of this.#tracked) {
      const own = waiting.get(id)!;
      run.secondsBesideOthers = own === Infinity ? null : secondsBesideOthers(own, waiting.values(), atOnce);
    }
  }

  /** Takes over what Redis holds; what it lost is put there again by the next dispatch. */
  #takeOver(held: readonly QueuedJob[]): void {
    const own = byRun(held);
    for (const [id, run] of this.#tracked) run.takeOver(own.get(id) ?? []);
  }

  /** Lets go of the jobs of runs that are not open; those of another release are its own. */
  async #stopUnwanted(held: readonly QueuedJob[]): Promise<void> {
    const unwanted = held.filter(({ job }) => !this.#tracked.has(job.task.run));
    for (const [id, own] of byRun(unwanted)) {
      // it may have been submitted since, or be open and for others
      if ((await this.#ports.marks.of(id)).life?.standing !== 'open') await letGo(this.#ports.queues, id, own);
    }
  }

  #schedulePass(milliseconds: number): void {
    if (this.#isStopped) return;
    this.#passTimer = setTimeout(() => {
      this.#passTimer = null;
      this.#working = this.#pass().then((pause) => {
        this.#schedulePass(pause);
      });
    }, milliseconds);
  }

  /** @returns the pause that should follow, in milliseconds */
  async #pass(): Promise<number> {
    const begun = performance.now();
    const least = this.#passSeconds * 1000;
    try {
      await this.reconcileOnce();
      this.#passFailure = null;
      const took = performance.now() - begun;
      return Math.max(least, Math.min(10 * took, longestPauseMilliseconds));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#failures.warn(error, 'a pass of the reconciler failed; the next one begins anew');
      const since = this.#passFailure?.since ?? new Date().toISOString();
      this.#passFailure = {
        code: 'not-reconciled',
        message: `The coordinator could not look at its runs: ${reason}`,
        since,
      };
      for (const id of this.#tracked.keys()) this.#changed(id);
      return Math.min(least, pauseAfterFailureMilliseconds);
    }
  }

  /** Those who follow a run learn at once of a server that went away; what came back ends the pause. */
  #reachChanged(): void {
    for (const id of this.#tracked.keys()) this.#changed(id);
    if (this.#passTimer === null || this.#reach.notices().length > 0) return;
    clearTimeout(this.#passTimer);
    this.#schedulePass(0);
  }

  #record(event: JobEvent): void {
    const task = taskNames.ofJob(event.id);
    const run = task === null ? undefined : this.#tracked.get(task.run);
    if (task === null || run === undefined) return;
    const isKnown = run.missing.has(event.id);
    const missing = run.missing.size;
    run.record(event);
    this.#foreseeTurns();
    if (event.kind === 'completed') {
      const { outcome, seconds, progress, batch } = event.result;
      if (run.sheet !== null) this.#ports.observer.onSpent?.(run.sheet.submitter, seconds);
      if (isKnown && outcome === 'stored') this.#ports.observer.onCompleted?.(task.kind, seconds, progress.trees);
      if (batch !== undefined) this.#recordBatch(task, batch, seconds, missing - run.missing.size);
      if (outcome === 'returned' || batch !== undefined) this.#notices.returned(task.run, event.result.reason);
      if (run.missing.size === 0 || outcome === 'dropped') this.requestReconcile(task.run);
      this.#dispatch.soon();
    } else if (event.kind === 'failed') {
      if (run.sheet !== null) this.#ports.observer.onSpent?.(run.sheet.submitter, event.seconds);
      if (isKnown) this.#ports.observer.onAttemptFailed?.(task.kind, event.code);
      this.requestReconcile(task.run);
    }
    this.#changed(task.run);
  }

  /** @param known of what is stored, how many tasks were missing as far as this process knows */
  #recordBatch({ run, kind }: Task, { stored, failed }: BatchResult, seconds: number, known: number): void {
    const { observer } = this.#ports;
    const own = seconds / Math.max(1, stored.length + failed.length);
    for (const [, trees] of stored.slice(0, known)) observer.onCompleted?.(kind, own, trees);
    for (const [, code] of failed) observer.onAttemptFailed?.(kind, code);
    if (failed.length > 0) this.requestReconcile(run);
  }

  #changed(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}

function byRun(jobs: readonly QueuedJob[]): ReadonlyMap<string, readonly QueuedJob[]> {
  const grouped = new Map<string, QueuedJob[]>();
  for (const one of jobs) {
    const { run } = one.job.task;
    const own = grouped.get(run);
    if (own === undefined) grouped.set(run, [one]);
    else own.push(one);
  }
  return grouped;
}

/** Of the workers of a pool that take tasks. */
function threadsOf(workers: readonly WorkerPresence[], pool: WorkerPresence['pool']): number {
  return sumOver(workers, (worker) => (worker.pool === pool ? worker.threads : 0));
}

function shortPlacesOf(workers: readonly WorkerPresence[]): number {
  return sumOver(workers, ({ shortPlaces = 0 }) => shortPlaces);
}

function sumOver(workers: readonly WorkerPresence[], of: (worker: WorkerPresence) => number): number {
  return workers.reduce((sum, worker) => (worker.isAside === true ? sum : sum + of(worker)), 0);
}
