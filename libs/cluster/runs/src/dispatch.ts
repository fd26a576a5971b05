import { type Job, JOB_VERSION, personOf, type Pool, type Priority } from '@orchard/contracts';
import type { PlannedTask } from '@orchard/pipeline';
import { noPlacement, type Placement } from './placement.js';
import { guessPaces } from './guessed-paces.js';
import type { ReconcilerPorts } from './reconcile-run.js';
import { fillWindows } from './turns.js';
import type { TrackedRun } from './tracked-run.js';

/** Completions come in bursts; the queue is filled once for each. */
const burstMilliseconds = 15;
/** Batches that the queue should hold at least. */
const leastBatches = 8;
/** Of what is missing, every thread has so many batches: the last of them does not keep all others waiting. */
const batchesOfThread = 4;
/** Of what selectors take the queue holds so much for each of their threads: who comes next waits for no more. */
const jobsOfSelector = 2;
const weightOf: Readonly<Record<Priority, number>> = { high: 4, normal: 2, low: 1 };

type DispatchPorts = Pick<ReconcilerPorts, 'queues' | 'log' | 'observer'>;

/** Keeps the queue filled with a window of the tasks of every open run. */
export class Dispatch {
  /** Jobs that the queue should hold. */
  target: number;
  /** Threads of all workers. */
  threads = 1;
  /** Threads of all workers and of all selectors that take tasks; 0 where there are none. */
  workers = 0;
  selectors = 1;
  /** What goes to workers of much memory alone. */
  placement: Placement = noPlacement;
  readonly #ports: DispatchPorts;
  readonly #open: ReadonlyMap<string, TrackedRun>;
  readonly #passMilliseconds: number;
  readonly #threadsOfPerson: number;
  #isStopped = true;
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param passMilliseconds between whole passes, which dispatch too: nothing later is waited for
   * @param threadsOfPerson that the runs of one person may keep busy at once
   */
  constructor(
    ports: DispatchPorts,
    open: ReadonlyMap<string, TrackedRun>,
    target: number,
    passMilliseconds: number,
    threadsOfPerson = Infinity,
  ) {
    this.#ports = ports;
    this.#open = open;
    this.target = target;
    this.#passMilliseconds = passMilliseconds;
    this.#threadsOfPerson = threadsOfPerson;
  }

  start(): void {
    this.#isStopped = false;
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  soon(milliseconds = burstMilliseconds): void {
    if (this.#isStopped || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.now().catch((error: unknown) => {
        this.#ports.log.warn({ error }, 'the queue could not be filled');
      });
    }, milliseconds);
  }

  async now(): Promise<void> {
    const { queues, observer } = this.#ports;
    const open = [...this.#open.values()].filter(({ missing }) => missing.size > 0);
    if (open.length > 1) guessPaces(open);
    const added = [...this.#forWorkers(open), ...this.#forSelectors(open)];
    for (const { run, job, pool } of added) run.handOut(job, pool);
    try {
      await queues.add(added.map(({ run, job, pool }) => ({ job, pool, isLarge: this.placement.isLarge(run) })));
    } catch (error) {
      for (const { run, job } of added) run.takeBack(job);
      throw error;
    }
    const byKind = new Map<string, number>();
    for (const { job } of added) byKind.set(job.task.kind, (byKind.get(job.task.kind) ?? 0) + (job.batch?.length ?? 1));
    for (const [kind, jobs] of byKind) observer.onEnqueued?.(kind, jobs);
    const next = open.reduce((least, run) => Math.min(least, run.nextTry ?? Infinity), Infinity);
    if (next < this.#passMilliseconds) this.soon(next + 1);
  }

  /** Of each person the same share; within it every run in turns, by its priority. */
  #forWorkers(open: readonly TrackedRun[]): Labelled[] {
    // a batch, or a long task, keeps a thread busy for longer than the least of tasks: fewer of them keep all busy, and
    // a new run waits for less
    const weight = Math.max(1, this.target / Math.max(leastBatches, 3 * this.threads));
    const claims = open
      .filter((run) => run.missingIn('worker') > 0)
      .map((run) => ({
        run,
        person: personIn(run),
        held: run.held(weight, 'worker'),
        jobs: run.held(1, 'worker'),
        step: 1 / weightOf[run.sheet?.priority ?? 'normal'],
        turn: run.turn ?? Infinity,
        next: labelled(run, 'worker', this.threads),
      }));
    beginTurns(claims);
    const weightOfJob = ({ run, job }: Labelled): number =>
      run.weightOf(job.task.kind, { isBatch: job.batch !== undefined, weight });
    const added = fillWindows(claims, this.target, weightOfJob, Infinity, this.#threadsOfPerson);
    for (const { run, turn } of claims) run.turn = turn;
    return added;
  }

  /**
   * The same of what selectors take, where small assemblies of a person go first. What finds no selector is given to
   * workers with nothing to do: they know every kind of task.
   */
  #forSelectors(open: readonly TrackedRun[]): Labelled[] {
    const room = Math.max(1, jobsOfSelector * this.selectors);
    let idle = this.workers;
    let held = 0;
    for (const run of this.#open.values()) {
      held += run.held(1, 'selector');
      idle -= run.held(1, 'worker');
    }
    idle = Math.max(0, Math.floor(idle));
    const places: Pool[] = Array.from({ length: Math.max(0, room - held) }, () => 'selector');
    // without a selector all of it is for workers, while they are idle
    if (this.selectors === 0 && idle > 0) places.length = 0;
    for (let at = 0; at < idle; at++) places.push('worker');
    const claims = open
      .filter((run) => run.missingIn('selector') > 0)
      .map((run) => ({
        person: personIn(run),
        held: run.held(1, 'selector'),
        jobs: 0,
        step: 0,
        turn: sizeOf(run),
        next: labelled(run, 'selector', this.threads),
      }));
    const added = fillWindows(claims, held + places.length, undefined, places.length);
    return added.map((one, at) => ({ ...one, pool: places[at]! }));
  }
}

interface Labelled {
  readonly run: TrackedRun;
  readonly job: Job;
  readonly pool: Pool;
}

/** A run of which is not known who submitted it has a share of its own. */
function personIn({ run, sheet }: TrackedRun): string {
  return sheet === null ? `run:${run.id}` : personOf(sheet.submitter);
}

/** What an assembly reads grows with the rows and columns of its run. */
function sizeOf({ size, sheet }: TrackedRun): number {
  return size / weightOf[sheet?.priority ?? 'normal'];
}

/** A run that is new begins with the least of its person's others: it owes nothing, and is owed nothing. */
function beginTurns(claims: readonly { readonly person: string; turn: number }[]): void {
  const least = new Map<string, number>();
  for (const { person, turn } of claims) least.set(person, Math.min(turn, least.get(person) ?? Infinity));
  for (const claim of claims) {
    const first = least.get(claim.person)!;
    if (claim.turn === Infinity) claim.turn = first === Infinity ? 0 : first;
  }
}

function* labelled(run: TrackedRun, pool: Pool, threads: number): Generator<Labelled, void, undefined> {
  const { numericsVersion } = run.run.specification;
  const mostInBatch = run.missing.size / (batchesOfThread * threads);
  for (const { task, planned } of run.candidates(mostInBatch, pool)) {
    const [{ detail, isNew }] = planned as [PlannedTask];
    const alike = { version: JOB_VERSION, task, family: run.family.name, numericsVersion, isNew } as const;
    const job: Job =
      planned.length === 1
        ? { ...alike, detail }
        : { ...alike, detail: {}, batch: planned.map((one) => ({ key: one.task.key, detail: one.detail })) };
    yield { run, job, pool };
  }
}
