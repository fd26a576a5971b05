import { type Job, JOB_VERSION } from '@orchard/contracts';
import { kindOf, type PlannedTask } from '@orchard/pipeline';
import type { ReconcilerPorts } from './reconcile-run.js';
import type { TrackedRun } from './tracked-run.js';

/** Completions come in bursts; the queue is filled once for each. */
const burstMilliseconds = 15;
/** No run's window is smaller, however many runs there are. */
const leastWindow = 2;
/** Batches that the queue should hold at least. */
const leastBatches = 8;
/** Of what is missing, every thread has so many batches: the last of them does not keep all others waiting. */
const batchesOfThread = 4;

type DispatchPorts = Pick<ReconcilerPorts, 'queues' | 'log' | 'observer'>;

/** Keeps the queue filled with a window of the tasks of every open run. */
export class Dispatch {
  /** Jobs that the queue should hold. */
  target: number;
  /** Threads of all workers. */
  threads = 1;
  readonly #ports: DispatchPorts;
  readonly #open: ReadonlyMap<string, TrackedRun>;
  readonly #passMilliseconds: number;
  #isStopped = true;
  #timer: NodeJS.Timeout | null = null;

  /** @param passMilliseconds between whole passes, which dispatch too: nothing later is waited for */
  constructor(ports: DispatchPorts, open: ReadonlyMap<string, TrackedRun>, target: number, passMilliseconds: number) {
    this.#ports = ports;
    this.#open = open;
    this.target = target;
    this.#passMilliseconds = passMilliseconds;
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
    // a batch takes longer than the least of tasks: fewer of them keep every thread busy, and a new run waits for less
    const weight = Math.max(1, this.target / Math.max(leastBatches, 3 * this.threads));
    const claims = open.map((run) => ({ held: run.held(weight), next: labelled(run, this.threads) }));
    const added = fillWindows(claims, this.target, ({ job }) => (job.batch === undefined ? 1 : weight));
    for (const { run, job } of added) run.handOut(job);
    try {
      await queues.add(added.map(({ job, pool }) => ({ job, pool })));
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
}

interface Labelled {
  readonly run: TrackedRun;
  readonly job: Job;
  readonly pool: 'worker' | 'selector';
}

function* labelled(run: TrackedRun, threads: number): Generator<Labelled, void, undefined> {
  const { numericsVersion } = run.run.specification;
  const mostInBatch = run.missing.size / (batchesOfThread * threads);
  for (const { task, planned } of run.candidates(mostInBatch)) {
    const [{ detail, isNew }] = planned as [PlannedTask];
    const alike = { version: JOB_VERSION, task, family: run.family.name, numericsVersion, isNew } as const;
    const job: Job =
      planned.length === 1
        ? { ...alike, detail }
        : { ...alike, detail: {}, batch: planned.map((one) => ({ key: one.task.key, detail: one.detail })) };
    yield { run, job, pool: kindOf(run.family, task.kind).pool };
  }
}

/** A run's claim on the queue. */
export interface Claim<Item> {
  /** Its jobs that are in the queue or being worked on. */
  readonly held: number;
  /** What could be put into the queue, first things first. */
  readonly next: Iterator<Item>;
}

/**
 * What to add to a queue that is first in, first out, so that it holds about `target` jobs, of every run equally many,
 * in turns: one of each run, then the next of each. A run that begins waits for at most `target` jobs of others,
 * however many dimensions they have.
 *
 * @param target jobs in the queue: enough that no worker waits for the next dispatch
 * @param weightOf how many jobs one is counted as
 */
export function fillWindows<Item>(
  claims: readonly Claim<Item>[],
  target: number,
  weightOf: (item: Item) => number = () => 1,
): Item[] {
  const window = Math.max(leastWindow, Math.ceil(target / Math.max(1, claims.length)));
  const added: Item[] = [];
  let open = claims.map(({ held, next }) => ({ held, next }));
  while (open.length > 0) {
    // the run that holds least goes first
    open = open.filter((claim) => claim.held < window).sort((a, b) => a.held - b.held);
    for (const claim of [...open]) {
      const { done, value } = claim.next.next();
      if (done === true) open.splice(open.indexOf(claim), 1);
      else {
        added.push(value);
        claim.held += weightOf(value);
      }
    }
  }
  return added;
}
