import type { Job } from '@orchard/contracts';
import { readCurves, type Run } from '@orchard/pipeline';
import { jobIdOf, type JobEvent } from '@orchard/queue';
import type { ObjectStore } from '@orchard/storage';
import type { Agenda } from './agenda.js';
import type { Troubles } from './attempts.js';
import { RunFigures } from './figures.js';
import type { Life } from './life.js';
import type { WorkStage } from './run-status.js';
import { dimensionOf, workName } from './work.js';

/** Conditionals whose curves are read in one look, for the likelihood so far of a run that others trained. */
const curvesAtOnce = 256;
/** Waits of a piece of work that failed, by how often it did. */
const backoffMilliseconds = [500, 2_000, 5_000, 15_000];

/** What is known of an open run between two looks at the store: a guess that every look corrects. */
export class OpenRun {
  readonly run: Run;
  readonly figures: RunFigures;
  life: Life;
  agenda: Agenda | null = null;
  troubles: Troubles = { failures: new Map(), quarantined: new Map() };
  /** What is missing and may be tried, costliest first. */
  readonly missing = new Map<string, Job>();
  /** Of these, what the queue holds, and what somebody works on. */
  readonly queued = new Set<string>();
  readonly active = new Set<string>();
  /** When what failed may be tried again. */
  readonly #heldUntil = new Map<string, number>();
  /** What was completed since the look began that is under way. */
  readonly #completed = new Set<string>();
  readonly #extraDone = new Map<WorkStage, number>();
  notices: readonly string[] = [];

  constructor(run: Run, life: Life) {
    this.run = run;
    this.life = life;
    this.figures = new RunFigures(run);
  }

  beginLook(): void {
    this.#completed.clear();
  }

  /** Takes over what a look at the store found. */
  endLook(life: Life, agenda: Agenda, troubles: Troubles): void {
    this.life = life;
    this.agenda = agenda;
    this.troubles = troubles;
    this.missing.clear();
    this.#extraDone.clear();
    for (const job of agenda.jobs) {
      const id = jobIdOf(job);
      if (this.#completed.has(id)) this.#count(job.stage);
      else if (!troubles.quarantined.has(workName(job))) this.missing.set(id, job);
    }
  }

  hear(event: JobEvent): void {
    const job = this.missing.get(event.id);
    if (event.kind === 'active') this.active.add(event.id);
    if (event.kind === 'stalled') this.active.delete(event.id);
    if (event.kind === 'progress' && job !== undefined) {
      const dimension = dimensionOf(job);
      if (dimension !== null) this.figures.tell(event.id, dimension, event.progress);
    }
    if (event.kind !== 'completed' && event.kind !== 'failed') return;
    this.queued.delete(event.id);
    this.active.delete(event.id);
    if (job === undefined) return;
    if (event.kind === 'failed') {
      const failures = this.troubles.failures.get(workName(job))?.length ?? 0;
      const wait = backoffMilliseconds[Math.min(failures, backoffMilliseconds.length - 1)]!;
      this.#heldUntil.set(event.id, performance.now() + wait);
    } else if (event.result.stored) {
      this.missing.delete(event.id);
      this.#completed.add(event.id);
      this.#heldUntil.delete(event.id);
      this.#count(job.stage);
      const dimension = dimensionOf(job);
      if (dimension !== null) this.figures.finish(event.id, dimension, job.stage, event.result);
    }
  }

  /** What could be put into the queue now, first things first. */
  *candidates(): Generator<{ id: string; job: Job }, void, undefined> {
    const now = performance.now();
    for (const [id, job] of this.missing) {
      if (this.queued.has(id) || now < (this.#heldUntil.get(id) ?? 0)) continue;
      yield { id, job };
    }
  }

  /** When the next piece of work that waits may be tried, in milliseconds from now; null where none waits. */
  get nextTry(): number | null {
    const times = [...this.#heldUntil].filter(([id]) => this.missing.has(id) && !this.queued.has(id));
    return times.length === 0 ? null : Math.max(0, Math.min(...times.map(([, at]) => at)) - performance.now());
  }

  /** Pieces of a stage that were completed since the last look. */
  doneSinceLook(stage: WorkStage): number {
    return this.#extraDone.get(stage) ?? 0;
  }

  /** Reads, of conditionals that are stored and were not told of, what the likelihood so far needs. */
  async learnFigures(store: ObjectStore): Promise<void> {
    if (this.agenda?.state !== 'training') return;
    const left = new Set(this.agenda.jobs.map(dimensionOf));
    const unknown = [...this.run.ordering].filter((dim) => !left.has(dim) && !this.figures.isKnown(dim));
    for (const { dimension, valid } of await readCurves(store, this.run, unknown.slice(0, curvesAtOnce))) {
      if (valid !== null)
        this.figures.know(
          dimension,
          valid.reduce((best, point) => Math.max(best, point), -Infinity),
        );
    }
  }

  #count(stage: WorkStage): void {
    this.#extraDone.set(stage, this.doneSinceLook(stage) + 1);
  }
}
