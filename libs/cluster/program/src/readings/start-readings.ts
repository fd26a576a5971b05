import type { ReadRows } from '@orchard/contracts';
import { storeDataset, type ResidentData } from '@orchard/pipeline';
import { ReadingWorker, type HeldReading, type QueueConnection } from '@orchard/queue';
import { isRefusal, Refusal } from '@orchard/refusal';
import {
  beginAttempt,
  keepAnswer,
  requestOf,
  requireAllowed,
  type AllowedSource,
  type ReadingAttempt,
} from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import type { Logger } from 'pino';
import type { SourceRead } from './read-source.js';
import { readSourceInThread, WithoutRoom, type SourceToRead } from '../source-thread.js';

export interface ReadingsOptions {
  readonly connection: QueueConnection;
  readonly store: ObjectStore;
  /** Places that this worker may read. */
  readonly allowed: readonly AllowedSource[];
  readonly s3: SourceToRead['s3'];
  readonly lockMilliseconds: number;
  readonly name: string;
  readonly resident: Pick<ResidentData, 'setBeside'>;
  readonly log: Logger;
}

/** A worker that had no room for a reading this often refuses it: no user made any, and no other worker took it. */
const mostTimesWithoutRoom = 5;

/** Takes readings of sources, one at a time beside the tasks; null where this worker may read none. */
export function startReadings(options: ReadingsOptions): ReadingWorker | null {
  const { allowed } = options;
  if (allowed.length === 0) return null;
  return new ReadingWorker(options.connection, options, (held) => answer(held, allowed, options));
}

/** Reads a source and keeps what came of it. @throws what passes: the reading is tried again */
async function answer(
  { id, signal, timesWithoutRoom, report }: HeldReading,
  allowed: readonly AllowedSource[],
  { store, s3, name, resident, log }: ReadingsOptions,
): Promise<'answered' | 'denied' | 'without-room'> {
  let attempt: ReadingAttempt | null = null;
  try {
    const request = await requestOf(store, id);
    const sources = [request.source, request.valid, request.test].filter((source) => source !== undefined);
    if (!sources.every((source) => mayRead(allowed, source))) {
      log.warn({ reading: id, sources }, 'a source is handed back: ORCHARD_SOURCES of this worker does not have it');
      return 'denied';
    }
    attempt = await beginAttempt(store, id, name);
    if (attempt === null) return 'answered';
    const read = await readSourceInThread({ request, s3 }, signal, report, (bytes) => resident.setBeside(bytes));
    report({ phase: 'storing', bytes: 0, size: null, rows: 0 });
    for (const { facts, bytes } of read.parts) await storeDataset(store, facts, bytes);
    const rows = rowsOf(read);
    await keepAnswer(store, id, rows);
    log.info({ reading: id, source: request.source, train: rows.train, rows: rows.rows }, 'read a source');
  } catch (error) {
    if (signal.aborted || (isRefusal(error) && error.retryable)) {
      log.warn({ reading: id, err: error }, 'a source could not be read now');
      // this worker is not lost
      await attempt?.end();
      throw error;
    }
    if (error instanceof WithoutRoom && timesWithoutRoom < mostTimesWithoutRoom) {
      log.warn({ reading: id, err: error }, 'a source is handed back: there is no room for a copy of it');
      await attempt?.end();
      return 'without-room';
    }
    log.warn({ reading: id, err: error }, 'a source was refused');
    await keepAnswer(store, id, answerOf(error, name));
  } finally {
    resident.setBeside(0);
  }
  return 'answered';
}

/** Another worker may read what this one may not. */
function mayRead(allowed: readonly AllowedSource[], source: string): boolean {
  try {
    requireAllowed(allowed, source, null);
    return true;
  } catch (error) {
    if (isRefusal(error, 'denied-source')) return false;
    throw error;
  }
}

function rowsOf({ kind, parts, notes, leftOut }: SourceRead): ReadRows {
  const [train, valid, test] = parts.map(({ facts }) => facts);
  return {
    kind,
    train: train!.id,
    valid: valid!.id,
    test: test?.id ?? null,
    rows: { train: train!.rows, valid: valid!.rows, test: test?.rows ?? null },
    notes: [...notes],
    leftOut: [...leftOut],
  };
}

function answerOf(error: unknown, worker: string): Refusal {
  if (!isRefusal(error)) return unexpected(error);
  if (!(error instanceof WithoutRoom)) return error;
  const { code, got, expected, where } = error;
  const remedy = `Have the administrator give workers, such as ${worker}, a temporary folder (TMPDIR) with room, or have some of the rows read (--rows).`;
  return new Refusal(code, { got, expected, remedy, ...(where !== undefined && { where }) }, { cause: error });
}

function unexpected(cause: unknown): Refusal {
  return new Refusal(
    'reading-given-up',
    {
      got: `an unexpected failure (${cause instanceof Error ? cause.message : String(cause)})`,
      expected: 'rows',
      remedy: 'The log of the worker has more. Try a copy on this machine, and report it if that is read.',
    },
    { cause },
  );
}
