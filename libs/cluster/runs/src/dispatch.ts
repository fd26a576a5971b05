import { type Job, JOB_VERSION, personOf, type Priority } from '@orchard/contracts';
import type { PlannedTask } from '@orchard/pipeline';
import { noPlacement, type Placement } from './placement.js';
import { guessPaces } from './guessed-paces.js';
import type { ReconcilerPorts } from './reconcile-run.js';
import { fillWindows } from './turns.js';
import type { Place } from './queued-jobs.js';
import type { TrackedRun } from './tracked-run.js';

/** Completions come in bursts; the queue is filled once for each. */
const burstMilliseconds = 15;
/** Batches that the queue should hold at least. */
const leastBatches = 8;
/** Of what is missing, every thread has so many batches: the last of them does not keep all others waiting. */
const batchesOfThread = 4;
/** Of what selectors take the queue holds so much for each of their threads: who comes next waits for no more. */
const jobsOfSelector = 2;
/** The queue of short jobs holds so much for each place: two batches, or many that are done at once. */
const weightOfShortPlace = 16;
const shortBatchesOfPlace = 2;
const weightOf: Readonly<Record<Priority, number>> = { high: 4, normal: 2, low: 1 };
const onWorker: Place = { pool: 'worker', lane: null };
const onLarge: Place = { pool: 'worker', lane: 'large' };
const onShort: Place = { pool: 'worker', lane: 'short' };
const onSelector: Place = { pool: 'selector', lane: null };

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
  /** Of all workers, for short tasks beside what their threads do. */
  shortPlaces = 0;
  /** What goes to workers of much memory alone. */
  placement: Placement = noPlacement;
  #isStopped = true;
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param passMilliseconds between whole passes, which dispatch too: nothing later is waited for
   * @param threadsOfPerson that the runs of one person may keep busy at once
   */
  constructor(
    private readonly ports: DispatchPorts,
    private readonly open: ReadonlyMap<string, TrackedRun>,
    target: number,
    private readonly passMilliseconds: number,
    private readonly threadsOfPerson = Infinity,
  ) {
    this.target = target;
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
        this.ports.log.warn({ error }, 'the queue could not be filled');
      });
    }, milliseconds);
  }

  async now(): Promise<void> {
    const { queues, observer } = this.ports;
    const open = [...this.open.values()].filter(({ missing }) => missing.size > 0);
    if (open.length > 1) guessPaces(open);
    const short = this.#shortRuns(open);
    const long = open.filter((run) => !short.has(run));
    const added: Labelled[] = [];
    // candidates are those that were not handed out
    const handOut = (found: readonly Labelled[]): void => {
      for (const one of found) {
        one.run.handOut(one.job, one.place);
        added.push(one);
      }
    };
    handOut(this.#shortOnes([...short]));
    handOut(this.#forWorkers(long));
    handOut(this.#forSelectors(open));
    try {
      await queues.add(added.map(({ job, place }) => ({ job, ...place })));
    } catch (error) {
      for (const { run, job } of added) run.takeBack(job);
      throw error;
    }
    const byKind = new Map<string, number>();
    for (const { job } of added) byKind.set(job.task.kind, (byKind.get(job.task.kind) ?? 0) + (job.batch?.length ?? 1));
    for (const [kind, jobs] of byKind) observer.onEnqueued?.(kind, jobs);
    const next = open.reduce((least, run) => Math.min(least, run.nextTry ?? Infinity), Infinity);
    if (next < this.passMilliseconds) this.soon(next + 1);
  }

  /**
   * The runs whose tasks have places of their own: the short ones, while there are others whose tasks they would wait
   * for. Where all are short, none waits for long, and threads and places would only compete.
   */
  #shortRuns(open: readonly TrackedRun[]): ReadonlySet<TrackedRun> {
    if (this.shortPlaces === 0) return new Set();
    const hasLong = open.some((run) => run.missingIn('worker') > 0 && !run.isShort);
    return new Set(hasLong ? open.filter((run) => run.isShort && !this.placement.isLarge(run)) : []);
  }

  /** Of each person the same share of the places for short tasks. */
  #shortOnes(runs: readonly TrackedRun[]): Labelled[] {
    const weight = weightOfShortPlace / shortBatchesOfPlace;
    return this.#inTurns(runs, { target: weightOfShortPlace * this.shortPlaces, weight, isShort: true });
  }

  /** Of each person the same share of the threads. */
  #forWorkers(runs: readonly TrackedRun[]): Labelled[] {
    // a batch, or a long task, keeps a thread busy for longer than the least of tasks: fewer of them keep all busy, and
    // a new run waits for less
    const weight = Math.max(1, this.target / Math.max(leastBatches, 3 * this.threads));
    return this.#inTurns(runs, { target: this.target, weight, isShort: false });
  }

  /** Of each person the same share; within it every run in turns, by its priority. */
  #inTurns(
    runs: readonly TrackedRun[],
    { target, weight, isShort }: { readonly target: number; readonly weight: number; readonly isShort: boolean },
  ): Labelled[] {
    const claims = runs
      .filter((run) => run.missingIn('worker') > 0)
      .map((run) => ({
        run,
        person: personIn(run),
        held: run.held(weight, 'worker', isShort),
        jobs: run.held(1, 'worker'),
        step: 1 / weightOf[run.sheet?.priority ?? 'normal'],
        turn: run.turn ?? Infinity,
        next: labelled(run, isShort ? onShort : this.placement.isLarge(run) ? onLarge : onWorker, this.threads),
      }));
    beginTurns(claims);
    const weightOfJob = ({ run, job }: Labelled): number =>
      run.weightOf(job.task.kind, { isBatch: job.batch !== undefined, weight });
    const added = fillWindows(claims, target, weightOfJob, Infinity, this.threadsOfPerson);
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
    for (const run of this.open.values()) {
      held += run.held(1, 'selector');
      idle -= run.held(1, 'worker');
    }
    idle = Math.max(0, Math.floor(idle));
    const places = filled(onSelector, room - held);
    // without a selector all of it is for workers, as soon as they are idle
    if (this.selectors === 0 && this.workers > 0) places.length = 0;
    const short = this.#isSelectorLong() ? open.filter((run) => run.isShort) : [];
    const others = open.filter((run) => !short.includes(run));
    return [
      ...assemblies(short, 0, filled(onShort, this.#shortRoom()), this.threads),
      ...assemblies(others, held, [...places, ...filled(onWorker, idle)], this.threads),
    ];
  }

  /** Whether a small assembly would wait for a large one, and workers have places for short tasks. */
  #isSelectorLong(): boolean {
    if (this.shortPlaces === 0) return false;
    return [...this.open.values()].some((run) => run.held(1, 'selector') > 0 && !run.isShort);
  }

  #shortRoom(): number {
    const held = [...this.open.values()].reduce((sum, run) => sum + run.held(1, 'worker', true), 0);
    return shortBatchesOfPlace * this.shortPlaces - held;
  }
}

/** The next assemblies, small ones first, one for each place. @param held by those runs in places of that kind */
function assemblies(runs: readonly TrackedRun[], held: number, places: readonly Place[], threads: number): Labelled[] {
  const claims = runs
    .filter((run) => run.missingIn('selector') > 0)
    .map((run) => ({
      person: personIn(run),
      held: run.held(1, 'selector'),
      jobs: 0,
      step: 0,
      turn: weightedSize(run),
      next: labelled(run, onSelector, threads),
    }));
  const added = fillWindows(claims, held + places.length, undefined, places.length);
  return added.map((one, at) => ({ ...one, place: places[at]! }));
}

function filled(place: Place, count: number): Place[] {
  return Array.from({ length: Math.max(0, count) }, () => place);
}

interface Labelled {
  readonly run: TrackedRun;
  readonly job: Job;
  readonly place: Place;
}

/** A run of which is not known who submitted it has a share of its own. */
function personIn({ run, sheet }: TrackedRun): string {
  return sheet === null ? `run:${run.id}` : personOf(sheet.submitter);
}

/** What an assembly reads grows with the rows and columns of its run. */
function weightedSize({ size, sheet }: TrackedRun): number {
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

function* labelled(run: TrackedRun, place: Place, threads: number): Generator<Labelled, void, undefined> {
  const { numericsVersion } = run.run.specification;
  const mostInBatch = run.missing.size / (batchesOfThread * threads);
  for (const { task, planned } of run.candidates(mostInBatch, place.pool)) {
    const [{ detail, isNew }] = planned as [PlannedTask];
    const alike = { version: JOB_VERSION, task, family: run.family.name, numericsVersion, isNew } as const;
    const job: Job =
      planned.length === 1
        ? { ...alike, detail }
        : { ...alike, detail: {}, batch: planned.map((one) => ({ key: one.task.key, detail: one.detail })) };
    yield { run, job, place };
  }
}
