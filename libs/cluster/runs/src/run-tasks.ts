import { taskNames, tasksOfJob, type Likelihood, type TaskDetails, type TaskGrid } from '@orchard/contracts';
import {
  artefactNames,
  gridOf,
  Kept,
  keptDocuments,
  likelihoodOf,
  noLikelihood,
  taskOf,
  type Holder,
  type RunLook,
} from '@orchard/pipeline';
import type { HeldTask } from '@orchard/queue';
import { entriesBelow } from '@orchard/storage';
import type { TaskFailure } from './attempts.js';
import { RunError } from './errors.js';
import { lifeIn } from './history.js';
import type { ReconcilerPorts } from './reconcile-run.js';
import type { RunStatuses } from './run-statuses.js';
import { seenOnce } from './seen-once.js';

export interface RunTasksPorts extends Pick<ReconcilerPorts, 'store' | 'marks' | 'attempts'> {
  readonly statuses: Pick<RunStatuses, 'described'>;
  readonly queues: { held(): Promise<readonly HeldTask[]> };
}

/** Tasks whose curve one question reads: on a store far away each is a request. */
const readsAtOnce = 512;

/**
 * The single tasks of a run, in more detail than a status has. All of it is read from the store, for one listing of the
 * run's folder, so that a run that ended last month shows what it showed then; only who has a task now is asked of the
 * queue.
 */
export class RunTasks {
  /** Validation nats of stored tasks, by run: they never change. */
  readonly #nats = new Kept<Map<string, number>>({ ...keptDocuments, most: 32 });

  constructor(private readonly ports: RunTasksPorts) {}

  /** @throws RunError `unknown-run` */
  async grid(id: string): Promise<TaskGrid> {
    const look = await this.#look(id);
    return look === null ? { run: id, stages: [], active: [] } : gridOf(look);
  }

  /** @throws RunError `unknown-run`, `unknown-task` */
  async task(id: string, work: string): Promise<TaskDetails> {
    const look = await this.#look(id);
    const task = look === null ? null : await taskOf(look, this.ports.store, work);
    if (task === null)
      throw new RunError('unknown-task', {
        got: JSON.stringify(work.slice(0, 80)),
        expected: 'a task of this run, as train/17',
        remedy: 'GET /v1/runs/:id/tasks lists them.',
      });
    return task;
  }

  /** @throws RunError `unknown-run` */
  async likelihood(id: string): Promise<Likelihood> {
    const look = await this.#look(id);
    if (look === null) return noLikelihood(id);
    const known = this.#nats.get(id) ?? new Map<string, number>();
    const told = await likelihoodOf(look, this.ports.store, known, readsAtOnce);
    this.#nats.set(id, known);
    return told;
  }

  /**
   * Null where nothing can be said of its tasks: its data sets are gone, or it is of a release that is not known here.
   */
  async #look(id: string): Promise<RunLook | null> {
    const { store, marks, attempts, statuses } = this.ports;
    const life = lifeIn(id, await marks.of(id));
    const look = seenOnce(store, artefactNames.run(id));
    const { family, run, plan } = await statuses.described(life, undefined, look);
    if (family === null || run === null || plan === null) return null;
    const failures = await attempts.of(id, life.epoch, look);
    return {
      family,
      run,
      plan,
      submittedAt: life.submittedAt,
      entries: await entriesBelow(look, artefactNames.run(id)),
      attempts: new Map([...failures.attempts].map(([work, own]) => [work, own.map(toldOf)])),
      givenUp: new Set(failures.givenUp.keys()),
      held: await this.#held(id),
    };
  }

  async #held(run: string): Promise<ReadonlyMap<string, Holder>> {
    // finished runs can be looked at while Redis is away
    const held = await this.ports.queues.held().catch((): readonly HeldTask[] => []);
    const own = held.filter(({ job }) => job.task.run === run);
    return new Map(
      own.flatMap(({ job, worker, progress }) =>
        tasksOfJob(job).map((task) => [taskNames.work(task), { worker, share: progress.share }] as const),
      ),
    );
  }
}

const toldOf = ({ kind, code, reason, stack, worker }: TaskFailure): TaskDetails['attempts'][number] => ({
  kind,
  code,
  reason,
  stack,
  worker,
});
