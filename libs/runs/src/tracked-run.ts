import { taskNames, type Notice, type Task, type TaskProgress } from '@orchard/contracts';
import { kindOf, type Family, type Plan, type PlannedTask, type Run } from '@orchard/pipeline';
import type { JobEvent } from '@orchard/queue';
import type { ObjectStore } from '@orchard/storage';
import { noFailures, type Failures } from './attempts.js';
import type { Life } from './lifecycle.js';

/** Stored tasks that are read in one pass, for the likelihood so far of a run that others trained. */
const readsAtOnce = 256;
/** Waits of a task that failed, by how often it did. */
const backoffMilliseconds = [500, 2_000, 5_000, 15_000];
/** Trees a second are counted over this time. */
const rateMilliseconds = 30_000;

/** What is known of an open run between two looks at the store: a guess that every look corrects. */
export class TrackedRun {
  readonly run: Run;
  readonly family: Family;
  life: Life;
  plan: Plan | null = null;
  failures: Failures = noFailures;
  /** What is missing and may be tried, costliest first, by job. */
  readonly missing = new Map<string, PlannedTask>();
  /** Of these, what the queue holds, and what somebody works on. */
  readonly queued = new Set<string>();
  readonly active = new Set<string>();
  /** What stands in the way, and since when. */
  notices: readonly Notice[] = [];
  /** When what failed or was given back may be tried again. */
  readonly #heldUntil = new Map<string, number>();
  /** What was handed out before: something of it may be stored. */
  readonly #handedOut = new Set<string>();
  /** What was completed since the look began that is under way. */
  readonly #completed = new Set<string>();
  readonly #doneSince = new Map<string, number>();
  readonly #progress: ProgressOfRun;

  constructor(family: Family, run: Run, life: Life) {
    this.family = family;
    this.run = run;
    this.life = life;
    this.#progress = new ProgressOfRun(family, run);
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
    this.life = life;
    this.plan = plan;
    this.failures = failures;
    this.missing.clear();
    this.#doneSince.clear();
    for (const planned of plan.tasks) {
      const job = taskNames.job(planned.task);
      if (this.#completed.has(job)) this.#count(planned.task.kind);
      else if (!failures.givenUp.has(taskNames.work(planned.task))) this.missing.set(job, planned);
    }
  }

  /** Takes over what the queue says happened to a job. */
  record(event: JobEvent): void {
    const { id } = event;
    const planned = this.missing.get(id);
    if (event.kind === 'active') this.active.add(id);
    if (event.kind === 'stalled') this.active.delete(id);
    if (event.kind === 'progress' && planned !== undefined) this.#progress.record(id, planned.task, event.progress);
    if (event.kind !== 'completed' && event.kind !== 'failed') return;
    this.queued.delete(id);
    this.active.delete(id);
    if (planned === undefined) return;
    if (event.kind === 'failed') {
      const failures = this.failures.attempts.get(taskNames.work(planned.task))?.length ?? 0;
      this.#hold(id, backoffMilliseconds[Math.min(failures, backoffMilliseconds.length - 1)]!);
    } else if (event.result.outcome === 'returned') this.#hold(id, event.result.waitMilliseconds);
    else if (event.result.outcome === 'stored') {
      this.missing.delete(id);
      this.#completed.add(id);
      this.#heldUntil.delete(id);
      this.#count(planned.task.kind);
      this.#progress.finish(id, planned, event.result.progress);
    }
  }

  /** What could be put into the queue now, first things first. */
  *candidates(): Generator<PlannedTask, void, undefined> {
    const now = performance.now();
    for (const [id, planned] of this.missing) {
      if (this.queued.has(id) || now < (this.#heldUntil.get(id) ?? 0)) continue;
      yield this.#handedOut.has(id) ? { ...planned, isNew: false } : planned;
    }
  }

  handOut(id: string): void {
    this.queued.add(id);
    this.#handedOut.add(id);
  }

  /** When the next task that waits may be tried, in milliseconds from now; null where none waits. */
  get nextTry(): number | null {
    const times = [...this.#heldUntil].filter(([id]) => this.missing.has(id) && !this.queued.has(id));
    return times.length === 0 ? null : Math.max(0, Math.min(...times.map(([, at]) => at)) - performance.now());
  }

  /** Tasks of a kind that were completed since the last look. */
  doneSinceLook(kind: string): number {
    return this.#doneSince.get(kind) ?? 0;
  }

  /** Reads, of tasks that are stored and were not told of, what the likelihood so far needs. */
  async learn(store: ObjectStore): Promise<void> {
    const { family, run, stage, plan } = this;
    if (stage === null || family.readNats === undefined || kindOf(family, stage).untoldNats === undefined) return;
    const except = new Set([...plan!.tasks.map(({ task }) => task.key), ...this.#progress.known]);
    this.#progress.know(await family.readNats(store, run, stage, except, readsAtOnce));
  }

  treesPerSecond(): number {
    return this.#progress.treesPerSecond();
  }

  secondsLeft(): number | null {
    return this.stage === null ? null : this.#progress.secondsLeft(this.stage, this.missing.values());
  }

  /** Mean nats a validation row; null where the stage tells none. */
  logLikelihood(): number | null {
    const { stage, plan } = this;
    return stage === null ? null : this.#progress.logLikelihood(stage, plan!.stages[stage]?.total ?? 0);
  }

  #hold(id: string, milliseconds: number): void {
    this.#heldUntil.set(id, performance.now() + milliseconds);
  }

  #count(kind: string): void {
    this.#doneSince.set(kind, this.doneSinceLook(kind) + 1);
  }
}

/** What the workers tell about a run's tasks, added up. Lost when the process ends, and gathered anew. */
class ProgressOfRun {
  readonly #family: Family;
  readonly #run: Run;
  /** Summed validation nats of the best so far, by key. */
  readonly #nats = new Map<string, number>();
  /** Trees that each job in hand had told of. */
  readonly #told = new Map<string, number>();
  #grown: { at: number; trees: number }[] = [];
  #stage: string | null = null;
  #stageBegun = 0;
  #costDone = 0;

  constructor(family: Family, run: Run) {
    this.#family = family;
    this.#run = run;
  }

  get known(): Iterable<string> {
    return this.#nats.keys();
  }

  record(id: string, task: Task, { trees, nats }: TaskProgress): void {
    const before = this.#told.get(id) ?? 0;
    this.#told.set(id, trees);
    this.#grown.push({ at: performance.now(), trees: Math.max(0, trees - before) });
    if (nats !== null) this.#nats.set(task.key, nats);
  }

  finish(id: string, { task, cost }: PlannedTask, progress: TaskProgress): void {
    this.record(id, task, progress);
    this.#told.delete(id);
    if (task.kind !== this.#stage) {
      this.#stage = task.kind;
      this.#stageBegun = performance.now();
      this.#costDone = 0;
    }
    this.#costDone += cost;
  }

  know(nats: ReadonlyMap<string, number>): void {
    for (const [key, value] of nats) this.#nats.set(key, value);
  }

  treesPerSecond(): number {
    const now = performance.now();
    this.#grown = this.#grown.filter(({ at }) => now - at <= rateMilliseconds);
    const first = this.#grown[0];
    if (first === undefined) return 0;
    const trees = this.#grown.reduce((sum, one) => sum + one.trees, 0);
    return (1_000 * trees) / Math.max(1_000, now - first.at);
  }

  secondsLeft(stage: string, left: Iterable<PlannedTask>): number | null {
    if (stage !== this.#stage || this.#costDone === 0) return null;
    let cost = 0;
    for (const one of left) cost += one.cost;
    return ((performance.now() - this.#stageBegun) / 1_000) * (cost / this.#costDone);
  }

  logLikelihood(stage: string, tasks: number): number | null {
    const { untoldNats } = kindOf(this.#family, stage);
    if (untoldNats === undefined) return null;
    let nats = (tasks - this.#nats.size) * untoldNats(this.#run);
    for (const told of this.#nats.values()) nats += told;
    return nats / this.#run.datasets.valid.rows;
  }
}
