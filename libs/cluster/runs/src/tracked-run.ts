import {
  batchOf,
  taskNames,
  unknownTimeLeft,
  type Job,
  type Notice,
  type Pool,
  type RunSheet,
  type RunStatus,
  type Task,
  type TaskProgress,
  type TimeLeft,
} from '@orchard/contracts';
import {
  kindOf,
  namesAll,
  StageMeter,
  storedNats,
  type Family,
  type Plan,
  type PlannedTask,
  type Run,
} from '@orchard/pipeline';
import type { JobEvent, JobResult, QueuedJob } from '@orchard/queue';
import type { ObjectStore } from '@orchard/storage';
import { noFailures, type Failures } from './attempts.js';
import { batchSize } from './batches.js';
import type { Life } from './lifecycle.js';
import { Paces } from './paces.js';
import { QueuedJobs, type Place } from './queued-jobs.js';
import { noCost, type RunCost } from './run-costs.js';
import { needsOf, sizeOf } from './run-size.js';
import { notBefore } from './time-beside-others.js';

/** Stored tasks that are read in one pass, for the likelihood so far of a run that others trained. */
const readsAtOnce = 256;
/** Waits of a task that failed, by how often it did. */
const backoffMilliseconds = [500, 2_000, 5_000, 15_000];

/** For a run that no worker reports. */
export const noFigures = { treesPerSecond: 0, ...unknownTimeLeft, logLikelihood: null } as const;

/** What could be one job: a task, or a batch of them with its name. */
export interface Candidate {
  readonly task: Task;
  readonly planned: readonly PlannedTask[];
}

/** What is known of an open run between two looks at the store: a guess that every look corrects. */
export class TrackedRun {
  /**
   * What its rows take on one thread, by its family or by what a worker refused; null where neither is known, and of
   * what is too large everywhere.
   */
  needsBytes: number | null;
  /** Null of a run of which nothing was written down. */
  readonly sheet: RunSheet | null;
  life: Life;
  plan: Plan | null = null;
  failures: Failures = noFailures;
  /** What is missing and may be tried, costliest first, by the job that would do it alone. */
  readonly missing = new Map<string, PlannedTask>();
  readonly #jobs = new QueuedJobs();
  /** How far it is in the turns of its submitter's runs; null until it is dispatched for the first time. */
  turn: number | null = null;
  /** What was spent on it since it is tracked here. */
  cost: RunCost = noCost;
  /** Whether what it cost until its last end is written down. */
  hasEnded = false;
  #isLookedAt = false;
  /** Seconds until its waiting tasks have had their turns, as of the last pass; null before one. */
  secondsBesideOthers: number | null = null;
  /** What stands in the way, and since when. */
  notices: readonly Notice[] = [];
  #missingByPool: Record<Pool, number> = { worker: 0, selector: 0 };
  /** When what failed or was given back may be tried again. */
  readonly #heldUntil = new Map<string, number>();
  /** What was completed since the look began that is under way. */
  readonly #completed = new Set<string>();
  readonly #doneSince = new Map<string, number>();
  readonly #paces = new Paces();
  /** What tasks took that were done, and what they were planned to cost, by kind: the costliest are done first. */
  readonly #spent = new Map<string, { readonly seconds: number; readonly cost: number }>();
  /** What the workers report, by kind of task. Lost when the process ends, and gathered anew. */
  readonly #meters = new Map<string, StageMeter>();

  constructor(
    readonly family: Family,
    readonly run: Run,
    life: Life,
    sheet: RunSheet | null = null,
  ) {
    this.needsBytes = needsOf(family, run);
    this.life = life;
    this.sheet = sheet;
  }

  /** Of the tasks, by the jobs that would do them alone, what workers have. */
  get active(): ReadonlySet<string> {
    return this.#jobs.active;
  }

  /** The kind of the first task that is missing. */
  get stage(): string | null {
    return this.plan?.tasks[0]?.task.kind ?? null;
  }

  beginLook(): void {
    this.#completed.clear();
  }

  /** Takes over what a look at the store found. */
  endLook(life: Life, plan: Plan, failures: Failures): void {
    const isBegun = Object.values(plan.stages).some((counts) => (counts?.done ?? 0) > 0);
    // what is stored at the first look was computed before: another coordinator, or none, has seen by whom
    if (!this.#isLookedAt && isBegun && !this.hasEnded && this.cost.threadSeconds === 0)
      this.cost = { ...this.cost, isWhole: false };
    this.#isLookedAt = true;
    this.life = life;
    this.plan = plan;
    this.failures = failures;
    this.missing.clear();
    this.#missingByPool = { worker: 0, selector: 0 };
    this.#doneSince.clear();
    for (const planned of plan.tasks) {
      const job = taskNames.job(planned.task);
      if (this.#completed.has(job)) this.#count(planned.task.kind);
      else if (!failures.givenUp.has(taskNames.work(planned.task))) {
        this.missing.set(job, planned);
        this.#missingByPool[kindOf(this.family, planned.task.kind).pool] += 1;
      }
    }
  }

  /** Takes over what the queue says happened to a job. */
  record(event: JobEvent): void {
    const { id } = event;
    const tasks = this.#jobs.tasksOf(id);
    const planned = this.missing.get(id);
    if (event.kind === 'active') {
      for (const task of tasks) this.#jobs.active.add(task);
      const kind = taskNames.ofJob(id)?.kind;
      if (kind !== undefined && tasks.some((task) => this.missing.has(task))) this.#meter(kind).begin();
    }
    if (event.kind === 'stalled') for (const task of tasks) this.#jobs.active.delete(task);
    if (event.kind === 'progress' && planned !== undefined)
      this.#meter(planned.task.kind).tell(planned, event.progress);
    if (event.kind !== 'completed' && event.kind !== 'failed') return;
    this.#jobs.remove(id);
    const seconds = event.kind === 'completed' ? event.result.seconds : event.seconds;
    this.cost = { ...this.cost, threadSeconds: this.cost.threadSeconds + seconds };
    if (event.kind === 'failed') for (const task of tasks) this.#failed(task);
    else if (event.result.outcome === 'returned')
      for (const task of tasks) this.#hold(task, event.result.waitMilliseconds);
    else if (event.result.outcome === 'stored') {
      this.#stored(id, event.result);
      // of a batch, what was given back
      const { batch, waitMilliseconds } = event.result;
      if (batch === undefined) return;
      for (const task of tasks)
        if (this.missing.has(task) && !this.#heldUntil.has(task)) this.#hold(task, waitMilliseconds);
    }
  }

  /** The tasks of a pool that are missing. */
  missingIn(pool: Pool): number {
    return this.#missingByPool[pool];
  }

  /** What of a pool could be put into its queue now, first things first. @param mostInBatch so that no thread idles */
  *candidates(mostInBatch: number, pool: Pool): Generator<Candidate, void, undefined> {
    if (this.#missingByPool[pool] === 0) return;
    const now = performance.now();
    const taken = new Set<string>();
    for (const [id, planned] of this.missing) {
      if (kindOf(this.family, planned.task.kind).pool !== pool) continue;
      if (taken.has(id) || this.#jobs.has(id) || now < (this.#heldUntil.get(id) ?? 0)) continue;
      const batch = this.#batchOf(planned, mostInBatch);
      if (batch === null) {
        yield { task: planned.task, planned: [this.#jobs.wasHandedOut(id) ? { ...planned, isNew: false } : planned] };
        continue;
      }
      for (const { task } of batch.planned) taken.add(taskNames.job(task));
      yield batch;
    }
  }

  handOut(job: Job, place: Place): void {
    this.#jobs.add(job, place);
  }

  /** The queue did not take a job that was handed out. */
  takeBack(job: Job): void {
    this.#jobs.remove(taskNames.job(job.task));
  }

  /** Takes over which jobs of the run the queue holds. */
  takeOver(held: readonly QueuedJob[]): void {
    this.#jobs.replace(held);
  }

  /**
   * Jobs that the queues of a pool hold.
   *
   * @param weight of a batch, and of a task that takes as long, where a job of one short task weighs 1
   * @param isShort of the queue of short jobs alone, or of the others; of all unless given
   */
  held(weight: number, pool: Pool, isShort?: boolean): number {
    let sum = 0;
    for (const [id, { tasks }] of this.#jobs.in(pool, isShort))
      sum += this.weightOf(taskNames.ofJob(id)?.kind ?? '', { isBatch: tasks.length > 1, weight });
    return sum;
  }

  /** What a job counts in the queue. */
  weightOf(kind: string, how: { readonly isBatch: boolean; readonly weight: number }): number {
    return this.#paces.weightOf(kind, how);
  }

  /** Seconds of a task of a kind; null where none was done yet. */
  paceOf(kind: string): number | null {
    return this.#paces.of(kind);
  }

  /** How long a task may take, until the first is done. */
  guessPace(kind: string, seconds: number): void {
    this.#paces.guess(kind, seconds);
  }

  /** Whether the tasks that are next are soon done, as far as can be known. */
  get isShort(): boolean {
    return this.stage !== null && this.#paces.isShort(this.stage, this.size);
  }

  /** What its tasks take grows with its rows and columns. */
  get size(): number {
    return sizeOf(this.run.datasets);
  }

  /**
   * Jobs that no worker has yet, and seconds that they take one thread; null where no such job has ended.
   *
   * @param isShort of the queue of short jobs, or of the others of workers
   */
  waitingFor(isShort: boolean): { readonly jobs: number; readonly seconds: number | null } {
    let jobs = 0;
    let seconds: number | null = 0;
    for (const [id, job] of this.#jobs.in('worker', isShort)) {
      if (this.#jobs.isActive(job)) continue;
      jobs += 1;
      const own = this.paceOf(taskNames.ofJob(id)?.kind ?? '');
      seconds = seconds === null || own === null ? null : seconds + own * job.tasks.length;
    }
    return { jobs, seconds };
  }

  /**
   * Seconds that the tasks of its stage which no worker has yet take one thread; 0 of a stage of selectors, Infinity
   * where none of its tasks was done yet.
   */
  get waitingSeconds(): number {
    const { stage, active } = this;
    if (stage === null || kindOf(this.family, stage).pool !== 'worker') return 0;
    let waiting = 0;
    for (const [id, { task, cost }] of this.missing) if (task.kind === stage && !active.has(id)) waiting += cost;
    if (waiting === 0) return 0;
    const spent = this.#spent.get(stage);
    return spent === undefined ? Infinity : (waiting * spent.seconds) / spent.cost;
  }

  /** Jobs that workers and selectors have: a thread each. */
  get threads(): number {
    return this.threadsFor(true) + this.threadsFor(false);
  }

  /** The same of threads for short tasks, or of the others. */
  threadsFor(isShort: boolean): number {
    return this.#jobs.threadsFor(isShort);
  }

  /** When the next task that waits may be tried, in milliseconds from now; null where none waits. */
  get nextTry(): number | null {
    let next = Infinity;
    for (const [id, at] of this.#heldUntil) {
      if (this.missing.has(id) && !this.#jobs.has(id)) next = Math.min(next, at);
    }
    return next === Infinity ? null : Math.max(0, next - performance.now());
  }

  /** Tasks of a kind that were completed since the last look. */
  doneSinceLook(kind: string): number {
    return this.#doneSince.get(kind) ?? 0;
  }

  /** Reads, from stored tasks that no worker reported, what the likelihood so far needs. */
  async learn(store: ObjectStore): Promise<void> {
    const { family, run, stage } = this;
    if (stage === null || (this.plan!.stages[stage]?.done ?? 0) === 0) return;
    const meter = this.#meter(stage);
    meter.know(await storedNats(store, family, run, stage, new Set(meter.known), readsAtOnce));
  }

  /** What the workers report about the current stage. */
  figures(): TimeLeft & Pick<RunStatus, 'treesPerSecond' | 'logLikelihood'> {
    const { stage, plan } = this;
    if (stage === null) return noFigures;
    const meter = this.#meter(stage);
    return {
      treesPerSecond: meter.treesPerSecond(),
      ...(namesAll(plan!, stage)
        ? notBefore(meter.timeLeft(this.missing.values()), this.secondsBesideOthers)
        : unknownTimeLeft),
      logLikelihood: meter.logLikelihood(plan!.stages[stage]?.total ?? 0),
    };
  }

  /**
   * The neighbours of a task that are one job with it: short ones, of which nothing was tried before. What failed, was
   * lost or given back goes alone, so that a batch never stands between a task and its attempts.
   */
  #batchOf({ task }: PlannedTask, most: number): Candidate | null {
    if (kindOf(this.family, task.kind).pool !== 'worker') return null;
    const size = batchSize(this.paceOf(task.kind), most);
    const batch = size > 1 ? batchOf(task, size) : null;
    if (batch === null) return null;
    const planned: PlannedTask[] = [];
    for (const key of batch.keys) {
      const one = this.missing.get(taskNames.job({ ...task, key }));
      if (one !== undefined && this.#isUntried(one)) planned.push(one);
    }
    return planned.length > 1 && planned.some((one) => one.task.key === task.key) ? { ...batch, planned } : null;
  }

  #isUntried({ task, isNew }: PlannedTask): boolean {
    const id = taskNames.job(task);
    return (
      isNew && !this.#jobs.wasHandedOut(id) && !this.#jobs.has(id) && !this.failures.attempts.has(taskNames.work(task))
    );
  }

  #stored(id: string, { batch, progress, seconds }: JobResult): void {
    const job = taskNames.ofJob(id);
    if (job === null) return;
    this.#paces.tell(job.kind, seconds, batch?.stored.length ?? 1);
    const idOf = (key: string): string => taskNames.job({ ...job, key });
    const stored = batch === undefined ? [id] : batch.stored.map(([key]) => idOf(key));
    const cost = stored.reduce((sum, one) => sum + (this.missing.get(one)?.cost ?? 0), 0);
    const before = this.#spent.get(job.kind) ?? { seconds: 0, cost: 0 };
    if (cost > 0) this.#spent.set(job.kind, { seconds: before.seconds + seconds, cost: before.cost + cost });
    if (batch === undefined) this.#done(id, progress);
    for (const [key, trees, nats] of batch?.stored ?? []) this.#done(idOf(key), { share: 1, trees, nats });
    for (const [key] of batch?.failed ?? []) this.#failed(idOf(key));
  }

  #done(id: string, progress: TaskProgress): void {
    const planned = this.missing.get(id);
    if (planned === undefined) return;
    this.missing.delete(id);
    this.#missingByPool[kindOf(this.family, planned.task.kind).pool] -= 1;
    this.#completed.add(id);
    this.#heldUntil.delete(id);
    this.#count(planned.task.kind);
    this.#meter(planned.task.kind).tell(planned, progress);
    this.#meter(planned.task.kind).finish(planned);
  }

  #failed(id: string): void {
    const planned = this.missing.get(id);
    if (planned === undefined) return;
    const failures = this.failures.attempts.get(taskNames.work(planned.task))?.length ?? 0;
    this.#hold(id, backoffMilliseconds[Math.min(failures, backoffMilliseconds.length - 1)]!);
  }

  #meter(kind: string): StageMeter {
    const meter = this.#meters.get(kind) ?? new StageMeter(this.family, this.run, kind);
    this.#meters.set(kind, meter);
    return meter;
  }

  #hold(id: string, milliseconds: number): void {
    this.#heldUntil.set(id, performance.now() + milliseconds);
  }

  #count(kind: string): void {
    this.#doneSince.set(kind, this.doneSinceLook(kind) + 1);
  }
}
