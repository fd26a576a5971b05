import { DatasetError, openRowFile, type RawTable, type RowFile, type TableFormat } from '@orchard/dataset';
import type { ComputationContext } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { Request } from 'express';
import { signalOf } from '../http/client-signal.js';
import { CoordinatorError } from '../errors.js';
import type { MemoryShare, SharedCounts } from '../http/request-memory.js';
import type { RequestThreads } from '../request-threads.js';
import { tableTypes } from './describe-documents.js';
import { unpacked } from './unpacked.js';
import { formatAmong, uploadBytes, type UploadLimits } from './upload-body.js';

/** What a look through a table may take once its body is there. */
const MOST_SECONDS = 120;
/** What opening a file takes: its first bytes, lines and batches. */
const OPEN_BYTES = 64 << 20;

/** The table that a body was, as it goes to a thread. */
export interface TableBody<Query> {
  /** The file that keeps it, unzipped. */
  readonly path: string;
  readonly query: Query & { readonly format?: TableFormat | undefined };
  readonly bytes: number;
  readonly cells: number;
  readonly memory: SharedCounts;
}

/**
 * Keeps a body in a temporary file, unzipped, and has a thread look through it: reading its columns takes seconds or minutes.
 *
 * @throws DatasetError for a file that cannot be read; CoordinatorError `too-large`, `over-limit`, `unavailable`
 */
export async function askAboutTable<Query extends { readonly format?: TableFormat | undefined }, Answer>(
  threads: RequestThreads,
  computation: 'describeTable' | 'splitTable',
  { request, query, limits, share }: { request: Request; query: Query; limits: UploadLimits; share: MemoryShare },
): Promise<Answer> {
  const format = query.format ?? formatAmong(request, tableTypes);
  share.take(Math.min(OPEN_BYTES, limits.bytes));
  try {
    const bytes = unpacked(uploadBytes(request, limits), limits.bytes);
    const file = await openRowFile({ name: 'body', bytes }, limits.bytes);
    try {
      const body: TableBody<Query> = {
        path: await file.path(),
        query: { ...query, format },
        bytes: limits.bytes,
        cells: limits.cells,
        memory: share.counts,
      };
      return await threads.call<Answer>(computation, body, signalOf(request));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw ownError(error);
  }
}

/** In the thread: the file, by the name that people know it by. */
export async function openBody({ path, bytes }: TableBody<unknown>): Promise<RowFile> {
  return { ...(await openRowFile(path, bytes)), name: 'body' };
}

/** The same table while its client waits for the answer, and within a limit of time. */
export function untilGone(raw: RawTable, { isCancelled }: Pick<ComputationContext, 'isCancelled'>): RawTable {
  const end = performance.now() + 1000 * MOST_SECONDS;
  async function* batches(needed?: ReadonlySet<number>): ReturnType<RawTable['batches']> & AsyncGenerator {
    for await (const batch of raw.batches(needed)) {
      if (performance.now() > end) throw tooLong();
      if (isCancelled()) throw new CoordinatorError('invalid-request', gone);
      yield batch;
    }
  }
  return { ...raw, batches, close: () => raw.close() };
}

const gone = { got: 'a client that left', expected: 'one that waits', remedy: 'Ask again.' };

function tooLong(): CoordinatorError {
  return new CoordinatorError('over-limit', {
    got: `a table that takes more than ${MOST_SECONDS} seconds to look through`,
    expected: 'less',
    where: 'body',
    remedy: 'Send some of its rows, or use `orchard describe`.',
  });
}

/** What went wrong in getting the bytes is wrapped by the reader; where they could not be kept, that is not the file's fault. */
function ownError(error: unknown): unknown {
  if (!isRefusal(error) || error.name !== DatasetError.name) return error;
  if (isRefusal(error.cause)) return error.cause;
  if (error.code !== 'source') return error;
  const parts = {
    got: 'no room to keep the body while it is looked through',
    expected: 'a temporary folder (TMPDIR) with room',
    remedy: 'Wait, ask the administrator of this coordinator, or use `orchard describe`.',
  };
  return new CoordinatorError('unavailable', parts, { cause: error });
}
