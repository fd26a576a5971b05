import { taskNames, type Task } from '@orchard/contracts';
import { artefactNames, concurrently, parseDocument, sealedBytes } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { entriesBelow, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';

/** Why a task came to nothing. `lost`: its worker vanished without a word. */
const failureSchema = z.strictObject({
  /** Tells attempts apart that came to nothing in the same way. */
  id: z.string(),
  kind: z.enum(['failed', 'lost']),
  code: z.string(),
  reason: z.string(),
  stack: z.string().nullable(),
  /** The stored object that is not what was written, where that is why. */
  damaged: z.string().nullable().default(null),
  /** Of a loss: the newest checkpoint that there was. */
  checkpoint: z.int().default(0),
  /** The name of the worker that had the task; empty where it is unknown. */
  worker: z.string().default(''),
});

export type TaskFailure = z.infer<typeof failureSchema>;

const givenUpSchema = failureSchema
  .omit({ id: true, checkpoint: true, worker: true })
  .extend({ attempts: z.int().min(1) });

/** A task that was given up after its attempts. */
export type GivenUp = z.infer<typeof givenUpSchema>;

/** Attempts until a task is given up. Machines vanish for reasons of their own, so that counts for less. */
export interface AttemptLimits {
  /** Of them one worker's count for one fewer while another is there that could try: it may be the worker's fault. */
  readonly failed: number;
  /**
   * Losses without a newer checkpoint in between, of which one worker's count for at most half; twice as many in any
   * case.
   */
  readonly lost: number;
}

/** Marks that are read in one look: a run of thousands of failures holds up no other. */
const readsAtOnce = 32;
const mostKnown = 20_000;

export const defaultLimits: AttemptLimits = { failed: 3, lost: 12 };

/**
 * What no further attempt can mend: the run ends at once. Damage is looked at twice, should it have been on the way.
 */
const attemptsByCode: Readonly<Record<string, number>> = { conflict: 1, 'damaged-artefact': 2, damaged: 2 };

/** What the store knows of failures in one epoch of a run, by the work name of the task. */
export interface Failures {
  readonly attempts: ReadonlyMap<string, readonly TaskFailure[]>;
  readonly givenUp: ReadonlyMap<string, GivenUp>;
}

export const noFailures: Failures = { attempts: new Map(), givenUp: new Map() };

/**
 * Attempts and what was given up as create-only marks, `runs/<run>/attempts/<epoch>/<work>/<number>` and
 * `runs/<run>/quarantine/<epoch>/<work>`: emptying Redis forgets none of them.
 */
export class Attempts {
  readonly #marks = new LRUCache<string, TaskFailure | GivenUp>({ max: mostKnown });

  constructor(private readonly store: ObjectStore) {}

  /** Adds one under the next free number. */
  async record(task: Task, epoch: number, failure: TaskFailure): Promise<void> {
    const folder = `${attemptsOf(task.run, epoch)}${taskNames.work(task)}/`;
    let number = (await this.store.list(folder)).filter(({ name }) => !name.includes('/lost-')).length;
    while (!(await this.#hasStored(`${folder}${number}`, failure))) number++;
  }

  /** Adds a loss; the same one again changes nothing. */
  async recordLoss(task: Task, epoch: number, loss: string, worker: string): Promise<void> {
    const name = `${attemptsOf(task.run, epoch)}${taskNames.work(task)}/lost-${loss}`;
    if ((await this.store.head(name)) !== null) return;
    const failure = lostFailure(loss, await this.#newestCheckpoint(task), worker);
    await this.#hasStored(name, failure);
  }

  /** @param listing where they are listed: of one look at a run its own */
  async of(run: string, epoch: number, listing: ObjectStore = this.store): Promise<Failures> {
    const attempts = new Map<string, TaskFailure[]>();
    const prefix = attemptsOf(run, epoch);
    const tried = await entriesBelow(listing, prefix);
    if (tried.length === 0) return noFailures;
    const failures = await concurrently(tried, readsAtOnce, (entry) => this.#read(entry, failureSchema));
    tried.forEach(({ name }, at) => {
      const work = name.slice(prefix.length, name.lastIndexOf('/'));
      const own = attempts.get(work);
      if (own === undefined) attempts.set(work, [failures[at]!]);
      else own.push(failures[at]!);
    });
    const given = givenUpOf(run, epoch);
    const ends = await entriesBelow(listing, given);
    const marks = await concurrently(ends, readsAtOnce, (entry) => this.#read(entry, givenUpSchema));
    return { attempts, givenUp: new Map(ends.map(({ name }, at) => [name.slice(given.length), marks[at]!])) };
  }

  /**
   * Gives up what has had its attempts.
   *
   * @param mayTry the names of the workers that take such a task now
   * @returns the failures as they are then, and what was newly given up
   */
  async giveUp(
    run: string,
    epoch: number,
    limits: AttemptLimits,
    listing: ObjectStore = this.store,
    mayTry: (work: string) => readonly string[] = () => [],
  ): Promise<{ failures: Failures; fresh: readonly string[] }> {
    const { attempts, givenUp } = await this.of(run, epoch, listing);
    const all = new Map(givenUp);
    const fresh: string[] = [];
    for (const [work, own] of attempts) {
      if (all.has(work) || !isSpent(own, limits, mayTry(work))) continue;
      const last = own.findLast(({ kind }) => kind === 'failed') ?? own.at(-1)!;
      const { kind, code, reason, stack, damaged } = last;
      const mark: GivenUp = { kind, code, reason, stack, damaged, attempts: own.length };
      // another reconciler saw one attempt more or fewer: its word stands
      await this.#hasStored(`${givenUpOf(run, epoch)}${work}`, mark);
      all.set(work, mark);
      fresh.push(work);
    }
    return { failures: { attempts, givenUp: all }, fresh };
  }

  /** Stores a mark. @returns false where another has that name */
  async #hasStored(name: string, mark: TaskFailure | GivenUp): Promise<boolean> {
    try {
      await this.store.put(name, sealedBytes(mark));
      return true;
    } catch (error) {
      if (isRefusal(error, 'conflict')) return false;
      throw error;
    }
  }

  async #newestCheckpoint({ run, key }: Task): Promise<number> {
    const prefix = `${artefactNames.checkpoints(run)}${key}/`;
    const found = await entriesBelow(this.store, prefix);
    return found.reduce((newest, { name }) => Math.max(newest, Number(name.slice(prefix.length)) || 0), 0);
  }

  /** A mark is read once: what is stored under its name at that time never changes. */
  async #read<S extends typeof failureSchema | typeof givenUpSchema>(
    { name, size, storedAt }: ObjectEntry,
    schema: S,
  ): Promise<z.infer<S>> {
    const identity = `${name} ${size} ${storedAt}`;
    let mark = this.#marks.get(identity);
    if (mark !== undefined) return mark as z.infer<S>;
    try {
      mark = parseDocument(await this.store.get(name), name, schema) as TaskFailure | GivenUp;
    } catch (error) {
      if (damagedBy(error) === null) throw error;
      // an attempt that cannot be read counts as one
      mark = { ...failureOf(error), attempts: 1 };
    }
    this.#marks.set(identity, mark);
    return mark as z.infer<S>;
  }
}

/**
 * Losses count since the newest checkpoint: a long task on machines that come and go is given up only where it stands
 * still. And they count over different workers: one that dies again and again is its own trouble, and no task's. With
 * only one worker, there is no way to find whose trouble it is: then it takes twice as many, so that no task is tried
 * for ever.
 *
 * Failures count over different workers too, as long as there is one that has not tried: what fails on one alone may be
 * its disk, its memory or its release.
 */
function isSpent(attempts: readonly TaskFailure[], limits: AttemptLimits, mayTry: readonly string[]): boolean {
  const failed = attempts.filter(({ kind }) => kind === 'failed');
  const lost = attempts.filter(({ kind }) => kind === 'lost');
  const newest = lost.reduce((most, { checkpoint }) => Math.max(most, checkpoint), 0);
  const standing = lost.filter(({ checkpoint }) => checkpoint === newest);
  const tried = new Set(failed.map(({ worker }) => worker));
  const isUntried = failed.length > 0 && !tried.has('') && mayTry.some((worker) => !tried.has(worker));
  const mostOfOne = isUntried ? limits.failed - 1 : limits.failed;
  return (
    overWorkers(failed, mostOfOne) >= limits.failed ||
    overWorkers(standing, Math.ceil(limits.lost / 2)) >= limits.lost ||
    standing.length >= 2 * limits.lost ||
    Object.entries(attemptsByCode).some(([code, most]) => {
      const alike = failed.filter((one) => one.code === code);
      // what one worker calls damaged another may read: its network or its disk may be at fault
      return overWorkers(alike, isUntried ? Math.max(1, most - 1) : most) >= most;
    })
  );
}

/** Attempts of which each worker's count for at most `most`. */
function overWorkers(attempts: readonly TaskFailure[], most: number): number {
  const byWorker = new Map<string, number>();
  for (const { worker } of attempts) byWorker.set(worker, (byWorker.get(worker) ?? 0) + 1);
  return [...byWorker.values()].reduce((sum, own) => sum + Math.min(own, most), 0);
}

/**
 * Whether something is damaged that other tasks will need, or bytes differ: the run need not wait for its other tasks.
 */
export function isFinal({ code }: Pick<GivenUp, 'code'>): boolean {
  return code in attemptsByCode;
}

const attemptsOf = (run: string, epoch: number): string => `${artefactNames.run(run)}attempts/${epoch}/`;
const givenUpOf = (run: string, epoch: number): string => `${artefactNames.run(run)}quarantine/${epoch}/`;

/** The stored object that an error calls damaged. */
export function damagedBy(error: unknown): string | null {
  const { code, where } = (error ?? {}) as { code?: unknown; where?: unknown };
  const isDamage = code === 'damaged-artefact' || code === 'damaged';
  return isDamage && typeof where === 'string' ? where : null;
}

/** An error as it is kept. @param worker the name of the one that had the task */
export function failureOf(error: unknown, worker = ''): TaskFailure {
  const parts = (error ?? {}) as { code?: unknown; message?: unknown; stack?: unknown; cause?: unknown };
  const cause = parts.cause instanceof Error ? `\ncaused by ${parts.cause.stack ?? parts.cause.message}` : '';
  return {
    id: randomUUID(),
    kind: 'failed',
    code: typeof parts.code === 'string' ? parts.code : 'unexpected',
    reason: (typeof parts.message === 'string' ? parts.message : String(error)).slice(0, 2_000),
    stack: typeof parts.stack === 'string' ? `${parts.stack}${cause}`.slice(0, 8_000) : null,
    damaged: damagedBy(error),
    checkpoint: 0,
    worker,
  };
}

/** What is kept of a worker that took the task and was never heard of again. */
function lostFailure(loss: string, checkpoint: number, worker: string): TaskFailure {
  const reason = 'The worker that had it vanished: killed, out of memory, or cut off from Redis.';
  return { id: loss, kind: 'lost', code: 'worker-lost', reason, stack: null, damaged: null, checkpoint, worker };
}

/** So many tasks that fail alike, while none of their kind succeeds, are no accident: the others would fail too. */
const mostAlike = 24;

/**
 * Why all tasks of a kind fail, where the first dozens were given up for one reason and none was stored; null
 * otherwise. Numbers do not count: the same mistake names another column in each task.
 */
export function failsAlike(kind: string, done: number, givenUp: ReadonlyMap<string, GivenUp>): GivenUp | null {
  const own = [...givenUp].filter(([work]) => work.startsWith(`${kind}/`)).map(([, given]) => given);
  const [first] = own;
  if (first === undefined || done > 0 || own.length < mostAlike) return null;
  const plain = ({ code, reason }: GivenUp): string => `${code} ${reason.replace(/[0-9a-f]*\d[0-9a-f]*/g, '#')}`;
  return own.every((given) => plain(given) === plain(first)) ? first : null;
}
