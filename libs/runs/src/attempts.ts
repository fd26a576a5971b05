import { canonicalJson, parseContract, type Job } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import { listAll, StorageError, type ObjectStore } from '@orchard/storage';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { workName } from './work.js';

/** Why a piece of work came to nothing. `lost`: whoever had it vanished without a word. */
export const failureSchema = z.strictObject({
  /** Tells attempts apart that came to nothing in the same way. */
  id: z.string(),
  kind: z.enum(['failed', 'lost']),
  code: z.string(),
  reason: z.string(),
  stack: z.string().nullable(),
});

export type WorkFailure = z.infer<typeof failureSchema>;

export const quarantineSchema = failureSchema.omit({ id: true }).extend({ attempts: z.int().min(1) });

export type Quarantine = z.infer<typeof quarantineSchema>;

/** Attempts until a piece of work is given up. Machines vanish for reasons of their own, so that counts for less. */
export interface AttemptLimits {
  readonly failed: number;
  readonly lost: number;
}

export const defaultLimits: AttemptLimits = { failed: 3, lost: 12 };

/** Where different bytes meet the same name, the work is not deterministic: once is enough. */
const finalCodes: ReadonlySet<string> = new Set(['conflict']);

/** What the store knows of failures in one epoch of a run, by {@link workName}. */
export interface Troubles {
  readonly failures: ReadonlyMap<string, readonly WorkFailure[]>;
  readonly quarantined: ReadonlyMap<string, Quarantine>;
}

/**
 * Attempts and quarantine as create-only marks, `runs/<run>/attempts/<epoch>/<work>/<number>` and
 * `runs/<run>/quarantine/<epoch>/<work>`: emptying Redis forgets none of them.
 */
export class Attempts {
  readonly #store: ObjectStore;
  readonly #known = new Map<string, WorkFailure | Quarantine>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Adds one under the next free number. */
  async record(job: Job, epoch: number, failure: WorkFailure): Promise<void> {
    const folder = `${attemptsOf(job.runId, epoch)}${workName(job)}/`;
    const bytes = Buffer.from(`${canonicalJson(failure)}\n`, 'utf8');
    for (
      let number = (await this.#store.list(folder)).filter(({ name }) => !name.includes('/lost-')).length;
      ;
      number++
    ) {
      try {
        await this.#store.put(`${folder}${number}`, bytes);
        return;
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'conflict') throw error;
      }
    }
  }

  /** Adds a loss; the same one again changes nothing. */
  async recordLoss(job: Job, epoch: number, loss: string): Promise<void> {
    const name = `${attemptsOf(job.runId, epoch)}${workName(job)}/lost-${loss}`;
    await this.#store.put(name, Buffer.from(`${canonicalJson(lostFailure(loss))}\n`, 'utf8'));
  }

  async troubles(run: string, epoch: number): Promise<Troubles> {
    const failures = new Map<string, WorkFailure[]>();
    const quarantined = new Map<string, Quarantine>();
    const attempts = attemptsOf(run, epoch);
    for await (const { name } of listAll(this.#store, attempts)) {
      const work = name.slice(attempts.length, name.lastIndexOf('/'));
      const failure = await this.#read(name, failureSchema);
      failures.set(work, [...(failures.get(work) ?? []), failure]);
    }
    if (failures.size > 0) {
      const prefix = quarantineOf(run, epoch);
      for await (const { name } of listAll(this.#store, prefix)) {
        quarantined.set(name.slice(prefix.length), await this.#read(name, quarantineSchema));
      }
    }
    return { failures, quarantined };
  }

  /** Gives up what has had its attempts. @returns the troubles as they are then, and what was newly given up */
  async quarantine(
    run: string,
    epoch: number,
    limits: AttemptLimits,
  ): Promise<{ troubles: Troubles; fresh: readonly string[] }> {
    const { failures, quarantined } = await this.troubles(run, epoch);
    const all = new Map(quarantined);
    const fresh: string[] = [];
    for (const [work, attempts] of failures) {
      if (all.has(work) || !isSpent(attempts, limits)) continue;
      const last = attempts.findLast(({ kind }) => kind === 'failed') ?? attempts.at(-1)!;
      const { kind, code, reason, stack } = last;
      const mark: Quarantine = { kind, code, reason, stack, attempts: attempts.length };
      await this.#create(`${quarantineOf(run, epoch)}${work}`, mark);
      all.set(work, mark);
      fresh.push(work);
    }
    return { troubles: { failures, quarantined: all }, fresh };
  }

  async #create(name: string, mark: Quarantine): Promise<void> {
    try {
      await this.#store.put(name, Buffer.from(`${canonicalJson(mark)}\n`, 'utf8'));
    } catch (error) {
      // another reconciler saw one attempt more or fewer: its word stands
      if (!(error instanceof StorageError) || error.code !== 'conflict') throw error;
    }
  }

  async #read<S extends typeof failureSchema | typeof quarantineSchema>(name: string, schema: S): Promise<z.infer<S>> {
    const known = this.#known.get(name);
    if (known !== undefined) return known as z.infer<S>;
    const value: unknown = JSON.parse(Buffer.from(await this.#store.get(name)).toString('utf8'));
    const mark = parseContract(schema, value, `mark ${name}`);
    this.#known.set(name, mark as WorkFailure);
    return mark as z.infer<S>;
  }
}

function isSpent(attempts: readonly WorkFailure[], limits: AttemptLimits): boolean {
  const failed = attempts.filter(({ kind }) => kind === 'failed');
  return (
    failed.length >= limits.failed ||
    attempts.length - failed.length >= limits.lost ||
    failed.some(({ code }) => finalCodes.has(code))
  );
}

const attemptsOf = (run: string, epoch: number): string => `${artefactNames.run(run)}attempts/${epoch}/`;
const quarantineOf = (run: string, epoch: number): string => `${artefactNames.run(run)}quarantine/${epoch}/`;

/** An error as it is kept. */
export function failureOf(error: unknown): WorkFailure {
  const parts = (error ?? {}) as { code?: unknown; message?: unknown; stack?: unknown; cause?: unknown };
  const cause = parts.cause instanceof Error ? `\ncaused by ${parts.cause.stack ?? parts.cause.message}` : '';
  return {
    id: randomUUID(),
    kind: 'failed',
    code: typeof parts.code === 'string' ? parts.code : 'unexpected',
    reason: (typeof parts.message === 'string' ? parts.message : String(error)).slice(0, 2_000),
    stack: typeof parts.stack === 'string' ? `${parts.stack}${cause}`.slice(0, 8_000) : null,
  };
}

/** What is kept of whoever took the work and was never heard of again. */
function lostFailure(loss: string): WorkFailure {
  const reason = 'The worker that had it vanished: killed, out of memory, or cut off from Redis.';
  return { id: loss, kind: 'lost', code: 'worker-lost', reason, stack: null };
}
