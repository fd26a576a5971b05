import type { JobCounts, JobQueues } from '@orchard/queue';
import type { S3Attempt } from '@orchard/storage/s3';
import type { RunObserver, TaskCount } from '@orchard/runs';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const secondsOfRequests = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300];
const secondsOfTraining = [0.01, 0.05, 0.2, 1, 5, 20, 60, 300, 1200, 3600];

/** What the request log records about every answer. */
export interface HttpMetrics {
  answered(method: string, status: number, seconds: number): void;
}

/** All that `/metrics` shows, in Prometheus' text format; event-loop lag and memory come with the default metrics. */
export class Metrics implements HttpMetrics {
  readonly registry = new Registry();
  readonly #requests = this.#histogram('orchard_http_request_seconds', 'Time to answer a request', secondsOfRequests, [
    'method',
    'status',
  ]);
  readonly #store = this.#histogram(
    'orchard_store_request_seconds',
    'Time of a request to object storage, retries each on its own',
    secondsOfRequests,
    ['operation', 'outcome'],
  );
  readonly #work = this.#histogram('orchard_completed_seconds', 'Time that a job took its worker', secondsOfTraining, [
    'stage',
  ]);
  readonly #trees = this.#counter('orchard_completed_trees_total', 'Trees grown by completed jobs', ['stage']);
  /** A series for each person who has ever submitted: people are few, and a token of each is made by hand. */
  readonly #spent = this.#counter(
    'orchard_person_thread_seconds_total',
    'Seconds of threads for the runs of a person',
    ['person', 'way'],
  );
  readonly #enqueued = this.#counter('orchard_jobs_enqueued_total', 'Jobs put onto the queue', ['stage']);
  readonly #failures = this.#counter('orchard_job_attempts_failed_total', 'Attempts that failed', ['stage', 'code']);
  readonly #quarantined = this.#counter('orchard_work_quarantined_total', 'Work given up after its attempts', [
    'stage',
  ]);
  readonly #pass = this.#histogram(
    'orchard_reconciler_pass_seconds',
    'Time of a pass over all runs',
    secondsOfRequests,
    [],
  );

  /** @param kinds of work that there are */
  constructor(kinds: readonly string[]) {
    // a counter that begins with the first of them has not risen, as far as an alert can see
    for (const stage of kinds) this.#quarantined.inc({ stage }, 0);
    // the default, 10 ms, wakes an idle process a hundred times a second
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 100 });
  }

  /** Shows the work of all open runs at the time of a scrape. */
  watch(counts: () => readonly TaskCount[]): void {
    const work = new Gauge({
      name: 'orchard_work',
      help: 'Tasks of all open runs, as of the last pass of the reconciler',
      labelNames: ['stage', 'state'],
      registers: [this.registry],
      collect(): void {
        work.reset();
        for (const { stage, state, count } of counts()) work.inc({ stage, state }, count);
      },
    });
  }

  /** Shows how many sources workers are to read, and read, at the time of a scrape. */
  watchReadings(load: () => Promise<{ readonly waiting: number; readonly active: number }>): void {
    const readings = new Gauge({
      name: 'orchard_readings',
      help: 'Sources that workers are to read',
      labelNames: ['state'],
      registers: [this.registry],
      async collect(): Promise<void> {
        readings.reset();
        const counts = await load().catch(() => null);
        if (counts === null) return;
        readings.set({ state: 'waiting' }, counts.waiting);
        readings.set({ state: 'active' }, counts.active);
      },
    });
  }

  /** Shows what Redis holds at the time of a scrape, and counts stalled jobs as they are noticed. */
  watchQueues(queues: JobQueues): void {
    const held = new Gauge({
      name: 'orchard_queue_jobs',
      help: 'Jobs that Redis holds',
      labelNames: ['queue', 'state'],
      registers: [this.registry],
      async collect(): Promise<void> {
        held.reset();
        const counts = await queues.counts().catch(() => null);
        for (const [queue, states] of Object.entries(counts ?? {})) {
          for (const [state, count] of Object.entries(states as JobCounts)) held.set({ queue, state }, count);
        }
      },
    });
    const stalled = this.#counter('orchard_jobs_stalled_total', 'Jobs whose worker let its lock expire', []);
    const wait = this.#histogram(
      'orchard_queue_wait_seconds',
      'Time of a job in the queue, of a sample',
      secondsOfTraining,
      [],
    );
    let looking = false;
    queues.onEvent(({ kind, id }) => {
      if (kind === 'stalled') stalled.inc();
      // one look at a time: a burst of jobs is not to become a burst of questions
      if (kind !== 'active' || looking) return;
      looking = true;
      waitOf(queues, id)
        .then((seconds) => seconds !== null && wait.observe(seconds))
        .catch(() => undefined)
        .finally(() => {
          looking = false;
        });
    });
  }

  answered(method: string, status: number, seconds: number): void {
    this.#requests.observe({ method, status }, seconds);
  }

  /** Figures of the reconciler and the runs. */
  readonly observer: RunObserver = {
    onEnqueued: (stage, jobs) => this.#enqueued.inc({ stage }, jobs),
    onCompleted: (stage, seconds, trees) => {
      this.#work.observe({ stage }, seconds);
      this.#trees.inc({ stage }, trees);
    },
    onSpent: ({ name: person, way }, seconds) => this.#spent.inc({ person, way }, seconds),
    onAttemptFailed: (stage, code) => this.#failures.inc({ stage, code: labelOf(code) }),
    onQuarantined: (stage) => this.#quarantined.inc({ stage }),
    onPass: (seconds) => this.#pass.observe(seconds),
  };

  /** Called for every request to S3. */
  observeStore({ operation, outcome, seconds }: S3Attempt): void {
    this.#store.observe({ operation, outcome: labelOf(outcome) }, seconds);
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[],
  ): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}

/**
 * A label is a code: a series is kept for ever for each value that it has had. What is not a code, such as a message,
 * is counted as `other`; the log and the run's status have it.
 */
function labelOf(text: string): string {
  return /^[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*$/.test(text) && text.length <= 40 ? text : 'other';
}

/** Seconds from a job's entry to its start; null where it is gone already. */
async function waitOf(queues: JobQueues, id: string): Promise<number | null> {
  for (const queue of queues.boardQueues()) {
    const job = await queue.getJob(id);
    if (job?.processedOn !== undefined) return Math.max(0, job.processedOn - job.timestamp) / 1000;
  }
  return null;
}
