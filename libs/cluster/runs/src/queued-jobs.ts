import { taskNames, tasksOfJob, type Job, type Pool } from '@orchard/contracts';
import type { Lane, QueuedJob } from '@orchard/queue';

/** Where a job waits. */
export interface Place {
  readonly pool: Pool;
  readonly lane: Lane | null;
}

/** A job that a queue holds: its tasks, by the jobs that would do them alone. */
export interface PlacedJob extends Place {
  readonly tasks: readonly string[];
}

/** Which jobs of a run the queues hold, as far as their events say. */
export class QueuedJobs {
  readonly #jobs = new Map<string, PlacedJob>();
  readonly #queued = new Set<string>();
  /** Of the tasks, what workers have. */
  readonly active = new Set<string>();
  /** Tasks that were handed out before: something of them may be stored. */
  readonly #handedOut = new Set<string>();

  /** Whether a task is in a queue, or in work. */
  has(task: string): boolean {
    return this.#queued.has(task);
  }

  wasHandedOut(task: string): boolean {
    return this.#handedOut.has(task);
  }

  /** The tasks of a job; a job that is not known here is one of its own task. */
  tasksOf(job: string): readonly string[] {
    return this.#jobs.get(job)?.tasks ?? [job];
  }

  add(job: Job, { pool, lane }: Place): void {
    const tasks = tasksOfJob(job).map(taskNames.job);
    this.#jobs.set(taskNames.job(job.task), { tasks, pool, lane });
    for (const task of tasks) {
      this.#queued.add(task);
      this.#handedOut.add(task);
    }
  }

  remove(job: string): void {
    for (const task of this.tasksOf(job)) {
      this.#queued.delete(task);
      this.active.delete(task);
    }
    this.#jobs.delete(job);
  }

  /** Takes over which jobs of the run the queues hold. */
  replace(held: readonly QueuedJob[]): void {
    this.#jobs.clear();
    this.#queued.clear();
    this.active.clear();
    for (const { id, job, pool, lane, state } of held) {
      const tasks = tasksOfJob(job).map(taskNames.job);
      this.#jobs.set(id, { tasks, pool, lane });
      for (const task of tasks) {
        this.#queued.add(task);
        if (state === 'active') this.active.add(task);
        // what comes back of a batch is tried by itself, whichever coordinator made it
        if (job.batch !== undefined) this.#handedOut.add(task);
      }
    }
  }

  /** Whether a worker has some task of the job. */
  isActive({ tasks }: PlacedJob): boolean {
    return tasks.some((task) => this.active.has(task));
  }

  /**
   * The jobs of a pool, by their ids.
   *
   * @param isShort of the queue of short jobs alone, or of the others; of all unless given
   */
  *in(pool: Pool, isShort?: boolean): Generator<readonly [id: string, job: PlacedJob], void, undefined> {
    for (const entry of this.#jobs) {
      const [, { pool: own, lane }] = entry;
      if (own === pool && (isShort === undefined || (lane === 'short') === isShort)) yield entry;
    }
  }

  /** Jobs in work, each of a thread: those for short tasks, or the others. */
  threadsFor(isShort: boolean): number {
    let busy = 0;
    for (const job of this.#jobs.values()) if ((job.lane === 'short') === isShort && this.isActive(job)) busy += 1;
    return busy;
  }
}
