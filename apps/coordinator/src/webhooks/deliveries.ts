import { randomUUID } from 'node:crypto';
import { artefactNames } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import { z } from 'zod';

/** Waits before each attempt after the first. A receiver that is away for a day still learns of it. */
const backoffSeconds = [10, 60, 300, 1800, 7200, 21_600, 86_400];
export const mostAttempts = backoffSeconds.length + 1;
/** An attempt without an outcome for so long died with its coordinator. */
const lostSeconds = 120;

const beganSchema = z.strictObject({ at: z.number(), by: z.string() });
const outcomeSchema = z.strictObject({ at: z.number(), status: z.number().nullable(), reason: z.string().nullable() });

/** What came of one attempt. */
export type Outcome = Omit<z.infer<typeof outcomeSchema>, 'at'>;

export interface Attempt {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Null where it is under way, or was lost with its coordinator. */
  readonly outcome: z.infer<typeof outcomeSchema> | null;
}

/** The attempts to tell of one end of a run, and when the next is due. */
export interface Delivery {
  /** The number of the run's marks at that end: a run that is resumed ends again. */
  readonly end: number;
  readonly attempts: readonly Attempt[];
  readonly state: 'pending' | 'delivered' | 'given-up';
  /** In milliseconds since 1970; null where none is to come. */
  readonly dueAt: number | null;
}

/**
 * What was tried, in the store: `runs/<run>/webhooks/<end>/<attempt>.began` and `.outcome`, each created once. The
 * coordinator that creates the first makes the attempt. All of it goes with the run.
 */
export class Deliveries {
  constructor(private readonly store: ObjectStore) {}

  async of(run: string, end: number): Promise<Delivery> {
    const prefix = folderOf(run, end);
    const names = (await entriesBelow(this.store, prefix)).map(({ name }) => name);
    const attempts: Attempt[] = [];
    for (let at = 0; names.includes(`${prefix}${String(at)}.began`); at++) {
      const began = await this.#read(`${prefix}${String(at)}.began`, beganSchema);
      const outcome = names.includes(`${prefix}${String(at)}.outcome`)
        ? await this.#read(`${prefix}${String(at)}.outcome`, outcomeSchema)
        : null;
      attempts.push({ at: began?.at ?? 0, outcome });
    }
    return deliveryOf(end, attempts);
  }

  /** The ends of a run that were announced, the earliest first. */
  async ends(run: string): Promise<readonly number[]> {
    const prefix = artefactNames.webhooks(run);
    const names = (await entriesBelow(this.store, prefix)).map(({ name }) => name.slice(prefix.length));
    return [...new Set(names.map((name) => Number(name.split('/')[0])))].sort((a, b) => a - b);
  }

  /** @returns whether this attempt is the caller's to make */
  async begin(run: string, end: number, attempt: number, now: number): Promise<boolean> {
    const document = { at: now, by: randomUUID() };
    try {
      const bytes = Buffer.from(JSON.stringify(document));
      return (await this.store.put(`${folderOf(run, end)}${String(attempt)}.began`, bytes)) === 'created';
    } catch (error) {
      if (isRefusal(error, 'conflict')) return false;
      throw error;
    }
  }

  async finish(run: string, end: number, attempt: number, outcome: Outcome, now: number): Promise<void> {
    const bytes = Buffer.from(JSON.stringify({ at: now, ...outcome }));
    await this.store.put(`${folderOf(run, end)}${String(attempt)}.outcome`, bytes);
  }

  async #read<Schema extends z.ZodType>(name: string, schema: Schema): Promise<z.output<Schema> | null> {
    try {
      return schema.parse(JSON.parse(Buffer.from(await this.store.get(name)).toString('utf8')));
    } catch (error) {
      // what is damaged says nothing: the attempt counts
      if (isRefusal(error, 'unavailable', 'denied')) throw error;
      return null;
    }
  }
}

const folderOf = (run: string, end: number): string => `${artefactNames.webhooks(run)}${String(end).padStart(6, '0')}/`;

function deliveryOf(end: number, attempts: readonly Attempt[]): Delivery {
  const last = attempts.at(-1);
  if (last === undefined) return { end, attempts, state: 'pending', dueAt: 0 };
  if (last.outcome !== null && isTaken(last.outcome)) return { end, attempts, state: 'delivered', dueAt: null };
  if (attempts.length >= mostAttempts && last.outcome !== null)
    return { end, attempts, state: 'given-up', dueAt: null };
  if (last.outcome === null) {
    const isLast = attempts.length >= mostAttempts;
    const lostAt = last.at + lostSeconds * 1000;
    if (!isLast) return { end, attempts, state: 'pending', dueAt: lostAt };
    return { end, attempts, state: 'given-up', dueAt: null };
  }
  const wait = backoffSeconds[attempts.length - 1]! * 1000;
  return { end, attempts, state: 'pending', dueAt: last.outcome.at + wait };
}

export const isTaken = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300;
