import { taskNames, type Notice, type RunStatus } from '@orchard/contracts';
import {
  namesAll,
  StageMeter,
  storedNats,
  type Family,
  type Plan,
  type PlannedTask,
  type Run,
} from '@orchard/pipeline';
import type { JobEvent } from '@orchard/queue';
import type { ObjectStore } from '@orchard/storage';
import { noFailures, type Failures } from './attempts.js';
import type { Life } from './lifecycle.js';

/** Stored tasks that are read in one pass, for the likelihood so far of a run that others trained. */
const readsAtOnce = 256;
/** Waits of a task that failed, by how often it did. */
const backoffMilliseconds = [500, 2_000, 5_000, 15_000];

/** For a run that no worker reports. */
export const noFigures = { treesPerSecond: 0, secondsLeft: null, logLikelihood: null } as const;

/** What is known of an open run between two looks at the store: a guess that every look corrects. */
export class TrackedRun {
  readonly run: Run;
  readonly family: Family;
  life: Life;
  plan: Plan | null = null;
  failures: Failures = noFailures;
  /** What is missing and may be tried, costliest first, by job. */
  readonly missing = new Map<string, PlannedTask>();
  /** Of these, what the queue holds, and what workers have. */
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
  /** What the workers report, by kind of task. Lost when the process ends, and gathered anew. */
  readonly #meters = new Map<string, StageMeter>();

  constructor(family: Family, run: Run, life: Life) {
    this.family = family;
    this.run = run;
    this.life = life;
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
    if (event.kind === 'active' && planned !== undefined) this.#meter(planned.task.kind).begin();
    if (event.kind === 'stalled') this.active.delete(id);
    if (event.kind === 'progress' && planned !== undefined)
      this.#meter(planned.task.kind).tell(planned, event.progress);
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
      this.#meter(planned.task.kind).tell(planned, event.result.progress);
      this.#meter(planned.task.kind).finish(planned);
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
    let next = Infinity;
    for (const [id, at] of this.#heldUntil) {
      if (this.missing.has(id) && !this.queued.has(id)) next = Math.min(next, at);
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
  figures(): Pick<RunStatus, 'treesPerSecond' | 'secondsLeft' | 'logLikelihood'> {
    const { stage, plan } = this;
    if (stage === null) return noFigures;
    const meter = this.#meter(stage);
    return {
      treesPerSecond: meter.treesPerSecond(),
      secondsLeft: namesAll(plan!, stage) ? meter.secondsLeft(this.missing.values()) : null,
      logLikelihood: meter.logLikelihood(plan!.stages[stage]?.total ?? 0),
    };
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
