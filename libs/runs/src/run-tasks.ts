import {
  dimensionOfTask,
  taskLetters,
  taskNames,
  type Likelihood,
  type Task,
  type TaskDetails,
  type TaskGrid,
} from '@orchard/contracts';
import { artefactNames, isMissing, Kept, keptDocuments, kindOf, type Family, type Run } from '@orchard/pipeline';
import type { HeldTask } from '@orchard/queue';
import { entriesBelow, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import type { Failures } from './attempts.js';
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

interface Look {
  readonly family: Family;
  readonly run: Run;
  readonly submittedAt: string;
  readonly entries: readonly ObjectEntry[];
  readonly missing: readonly Task[];
  readonly stages: Readonly<Record<string, { readonly total: number } | null>>;
  readonly failures: Failures;
}

/**
 * The single tasks of a run, for whoever looks closer than a status does. All of it is told from the store, for one listing of the run's
 * folder, so that a run that ended last month shows what it showed then; only who has a task now is asked of the queue.
 */
export class RunTasks {
  readonly #ports: RunTasksPorts;
  /** Validation nats of stored tasks, by run: they never change. */
  readonly #nats = new Kept<Map<string, number>>({ ...keptDocuments, most: 32 });

  constructor(ports: RunTasksPorts) {
    this.#ports = ports;
  }

  /** @throws RunError `unknown-run` */
  async grid(id: string): Promise<TaskGrid> {
    const look = await this.#look(id);
    if (look === null) return { run: id, stages: [], active: [] };
    const held = await this.#held(id);
    const { family, missing, failures } = look;
    const stages = family.kinds
      .filter(({ kind, isCounted }) => isCounted && (look.stages[kind] ?? null) !== null)
      .map(({ kind, state }) => {
        const stored = new Set(storedKeys(look, kind).keys());
        const open = missing.filter((task) => task.kind === kind).map(({ key }) => key);
        const keys = [...new Set([...stored, ...open])].sort(byDimension);
        const letter = (key: string): string => {
          const work = taskNames.work({ kind, key });
          if (stored.has(key)) return taskLetters.stored;
          if (failures.givenUp.has(work)) return taskLetters.failed;
          if (held.has(work)) return taskLetters.active;
          return failures.attempts.has(work) ? taskLetters.retrying : taskLetters.waiting;
        };
        return { kind, state, total: look.stages[kind]!.total, keys, states: keys.map(letter).join('') };
      });
    const active = [...held].map(([task, { worker, progress }]) => ({ task, worker, share: progress.share }));
    return { run: id, stages, active };
  }

  /** @throws RunError `unknown-run`, `unknown-task` */
  async task(id: string, work: string): Promise<TaskDetails> {
    const task = taskNames.ofWork(id, work);
    const look = await this.#look(id);
    const isKnown = look !== null && task !== null && look.family.kinds.some(({ kind }) => kind === task.kind);
    if (!isKnown) throw unknownTask(work);
    const entry = storedKeys(look, task.kind).get(task.key) ?? null;
    if (entry === null && !look.missing.some(({ kind, key }) => kind === task.kind && key === task.key))
      throw unknownTask(work);
    const held = (await this.#held(id)).get(work);
    const curves = entry === null ? null : await look.family.curvesOf?.(this.#ports.store, look.run, task).catch(none);
    const attempts = look.failures.attempts.get(work) ?? [];
    const { names, table } = look.run.datasets.train;
    const dimension = dimensionOfTask(task);
    return {
      task: work,
      words: taskNames.words(task),
      name: dimension === null ? null : (table?.variables[dimension]?.name ?? names?.[dimension] ?? null),
      storedAt: entry === null ? null : new Date(entry.storedAt).toISOString(),
      bytes: entry?.size ?? null,
      worker: held?.worker ?? null,
      share: held?.progress.share ?? null,
      attempts: attempts.map(({ kind, code, reason, stack, worker }) => ({ kind, code, reason, stack, worker })),
      curves: curves ?? null,
    };
  }

  /**
   * What the model would have given the validation rows after each task that was stored. A run whose tasks tell no likelihood has no
   * points.
   *
   * @throws RunError `unknown-run`
   */
  async likelihood(id: string): Promise<Likelihood> {
    const look = await this.#look(id);
    const kind = look?.family.kinds.find(({ untoldNats }) => (untoldNats?.(look.run) ?? null) !== null);
    if (look === null || kind === undefined || look.family.readNats === undefined)
      return { run: id, points: [], read: 0, stored: 0 };
    const { family, run, submittedAt } = look;
    const stored = [...storedKeys(look, kind.kind)].sort(([, a], [, b]) => a.storedAt - b.storedAt);
    const known = this.#nats.get(id) ?? new Map<string, number>();
    const isStored = new Set(stored.map(([key]) => key));
    const except = new Set([...known.keys(), ...look.missing.map(({ key }) => key)]);
    const fresh = await family.readNats!(this.#ports.store, run, kind.kind, except, readsAtOnce).catch(nothing);
    for (const [key, nats] of fresh) known.set(key, nats);
    this.#nats.set(id, known);
    const untold = kind.untoldNats!(run)!;
    const { rows } = run.datasets.valid;
    const begun = Date.parse(submittedAt);
    let sum = untold * (look.stages[kind.kind]?.total ?? stored.length);
    const points: [number, number][] = [[0, sum / rows]];
    for (const [key, { storedAt }] of stored) {
      const nats = known.get(key);
      if (nats === undefined) continue;
      sum += nats - untold;
      points.push([Math.max(0, (storedAt - begun) / 1000), sum / rows]);
    }
    const read = [...known.keys()].filter((key) => isStored.has(key)).length;
    return { run: id, points, read, stored: stored.length };
  }

  /** Null where nothing can be said of its tasks: its data sets are gone, or it is of a release that is not known here. */
  async #look(id: string): Promise<Look | null> {
    const { store, marks, attempts, statuses } = this.#ports;
    const life = lifeIn(id, await marks.of(id));
    const look: ObjectStore = seenOnce(store, artefactNames.run(id));
    const { family, run, plan } = await statuses.described(life, undefined, look);
    if (family === null || run === null || plan === null) return null;
    return {
      family,
      run,
      submittedAt: life.submittedAt,
      entries: await entriesBelow(look, artefactNames.run(id)),
      missing: plan.tasks.map(({ task }) => task),
      stages: plan.stages,
      failures: await attempts.of(id, life.epoch, look),
    };
  }

  async #held(run: string): Promise<ReadonlyMap<string, HeldTask>> {
    // finished runs can be looked at while Redis is away
    const held = await this.#ports.queues.held().catch((): readonly HeldTask[] => []);
    const own = held.filter(({ job }) => job.task.run === run);
    return new Map(own.map((one) => [taskNames.work(one.job.task), one]));
  }
}

function storedKeys({ family, run, entries }: Look, kind: string): ReadonlyMap<string, ObjectEntry> {
  const { folder } = kindOf(family, kind);
  const keys = new Map<string, ObjectEntry>();
  for (const entry of entries) {
    const key = taskNames.keyOfArtefact(entry.name, run.id, folder);
    if (key !== null) keys.set(key, entry);
  }
  return keys;
}

const byDimension = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
const none = (error: unknown): null => {
  if (isMissing(error)) return null;
  throw error;
};
/** One that cannot be read is the business of the task that needs it. */
const nothing = (): ReadonlyMap<string, number> => new Map();

function unknownTask(work: string): RunError {
  return new RunError('unknown-task', {
    got: JSON.stringify(work.slice(0, 80)),
    expected: 'a task of this run, as train/17',
    remedy: 'GET /v1/runs/:id/tasks lists them.',
  });
}
