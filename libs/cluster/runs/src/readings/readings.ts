import {
  canonicalJson,
  readingRefusalSchema,
  readingRequestSchema,
  readRowsSchema,
  type Reading,
  type ReadingProgress,
  type ReadingRequest,
  type ReadRows,
} from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import { firstAndMore, isRefusal, type Refusal } from '@orchard/refusal';
import { listAll, type ObjectStore } from '@orchard/storage';
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { RunError } from '../errors.js';

/** Workers that may be lost over one reading: what it needs is more than they have, most likely. */
const mostAttempts = 3;
/** Requests and answers are kept for so long: the data sets are what lasts. */
const keptMilliseconds = 7 * 86_400_000;

const answerSchema = z.union([
  z.strictObject({ answer: readRowsSchema }),
  z.strictObject({ refusal: readingRefusalSchema }),
]);

type Answer = z.infer<typeof answerSchema>;

/** Where readings wait, and how far those are that workers have. */
export interface ReadingJobs {
  /** Adds a reading, unless it is there. */
  add(id: string): Promise<void>;
  stateOf(id: string): Promise<{
    readonly isActive: boolean;
    readonly progress: ReadingProgress | null;
    /** Names of workers that may not read its place. */
    readonly deniedBy: readonly string[];
    /** Names of workers that had no room for a copy of it. */
    readonly withoutRoom: readonly string[];
  } | null>;
  counts(): Promise<{ readonly waiting: number; readonly active: number }>;
  /** How many workers take readings. */
  readers(): Promise<number>;
}

/**
 * Rows that workers are to read where they lie. The request and the answer are in the store, which does not forget; the
 * queue may: a client that asks how far a reading is puts it back.
 */
export class Readings {
  constructor(
    private readonly store: ObjectStore,
    private readonly jobs: ReadingJobs,
  ) {}

  /**
   * @param key of the request: with the same it is the same reading, so that a request whose answer was lost may be
   *   repeated. Without one each is a reading of its own: what lies in a bucket changes
   * @throws RunError `reading-differs` where the key is of another request
   */
  async begin(request: ReadingRequest, key: readonly string[] | null = null): Promise<Reading> {
    const id = key === null ? randomBytes(16).toString('hex') : idBy(key);
    await this.#forgetOld();
    try {
      await this.store.put(artefactNames.readingRequest(id), bytesOf(request));
    } catch (error) {
      if (!isRefusal(error, 'conflict')) throw error;
      throw new RunError('reading-differs', {
        got: 'an Idempotency-Key that came with another request',
        expected: 'the same request with the same key',
        where: 'headers, "Idempotency-Key"',
        remedy: 'Make a new key for each request, and keep it where that request is repeated.',
      });
    }
    // one that is answered, or that a worker has, begins no other
    return this.status(id);
  }

  /** @throws RunError `unknown-reading` */
  async status(id: string): Promise<Reading> {
    const { source } = await requestOf(this.store, id);
    const alike = { id, source, progress: null, waits: null, answer: null, refusal: null };
    const found = await answerOf(this.store, id);
    if (found !== null)
      return 'answer' in found
        ? { ...alike, state: 'done', answer: found.answer }
        : { ...alike, state: 'failed', refusal: found.refusal };
    const job = await this.jobs.stateOf(id);
    if (job === null) await this.jobs.add(id);
    if (job?.isActive === true) return { ...alike, state: 'reading', progress: job.progress };
    const { deniedBy, withoutRoom } = job ?? { deniedBy: [], withoutRoom: [] };
    return { ...alike, state: 'waiting', waits: whyItWaits(await this.jobs.readers(), deniedBy, withoutRoom) };
  }

  /** What an autoscaler adds to the tasks. */
  load(): ReturnType<ReadingJobs['counts']> {
    return this.jobs.counts();
  }

  async #forgetOld(): Promise<void> {
    const before = Date.now() - keptMilliseconds;
    for await (const { name, storedAt } of listAll(this.store, artefactNames.readings))
      if (storedAt < before) await this.store.delete(name);
  }
}

function idBy(key: readonly string[]): string {
  return createHash('sha256').update(canonicalJson(key)).digest('hex').slice(0, 32);
}

/** Names of workers that a sentence has. */
const mostNamed = 3;

function whyItWaits(readers: number, deniedBy: readonly string[], withoutRoom: readonly string[]): string {
  if (readers === 0) return 'No worker reads sources: one with ORCHARD_SOURCES has to be there.';
  if (withoutRoom.length > 0)
    return `No room for a copy of it in the temporary folder (TMPDIR) of ${firstAndMore([...new Set(withoutRoom)], mostNamed)}: it waits for another worker, or for room.`;
  if (deniedBy.length === 0) return 'Workers read other sources first.';
  const named = firstAndMore(deniedBy, mostNamed);
  const their = deniedBy.length === 1 ? 'its' : 'their';
  return deniedBy.length >= readers
    ? `None of the workers that are there may read it: name its place in ORCHARD_SOURCES of one (${named}).`
    : `${named} may not read it, by ${their} ORCHARD_SOURCES: it waits for another worker.`;
}

/** @throws RunError `unknown-reading` */
export async function requestOf(store: ObjectStore, id: string): Promise<ReadingRequest> {
  try {
    return readingRequestSchema.parse(JSON.parse(textOf(await store.get(artefactNames.readingRequest(id)))));
  } catch (error) {
    if (!isRefusal(error, 'missing')) throw error;
    throw new RunError('unknown-reading', {
      got: `the reading ${id}`,
      expected: 'one of the last seven days',
      remedy: 'Check the id, or begin another.',
    });
  }
}

async function answerOf(store: ObjectStore, id: string): Promise<Answer | null> {
  try {
    return answerSchema.parse(JSON.parse(textOf(await store.get(artefactNames.readingAnswer(id)))));
  } catch (error) {
    if (isRefusal(error, 'missing')) return null;
    throw error;
  }
}

/** Keeps what came of a reading; of two workers that had it the first is believed. */
export async function keepAnswer(store: ObjectStore, id: string, answer: ReadRows | Refusal): Promise<void> {
  const kept: Answer =
    answer instanceof Error
      ? {
          refusal: {
            code: answer.code,
            got: answer.got,
            expected: answer.expected,
            ...(answer.where !== undefined && { where: answer.where }),
            remedy: answer.remedy,
          },
        }
      : { answer };
  await store.put(artefactNames.readingAnswer(id), bytesOf(kept)).catch((error: unknown) => {
    if (!isRefusal(error, 'conflict')) throw error;
  });
}

/** A worker that reads. */
export interface ReadingAttempt {
  /** It came back without an answer: it is not lost, and does not count. */
  end(): Promise<void>;
}

/**
 * Counts that a worker begins a reading.
 *
 * @returns null where it was answered
 * @throws RunError `reading-given-up` where too many began it, and none came back
 */
export async function beginAttempt(store: ObjectStore, id: string, worker: string): Promise<ReadingAttempt | null> {
  if ((await answerOf(store, id)) !== null) return null;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const name = artefactNames.readingAttempt(id, attempt);
    if ((await store.head(name)) !== null) continue;
    await store.put(name, bytesOf({ worker, at: new Date().toISOString() }));
    return { end: () => store.delete(name) };
  }
  throw new RunError('reading-given-up', {
    got: `${String(mostAttempts)} workers that began to read it and did not come back`,
    expected: 'rows that a worker has memory and disk for',
    remedy: 'Give workers more memory, or have some of the rows read (fractions.rows).',
  });
}

function bytesOf(document: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(document));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
