import { openRowFile, type RawTable, type RowFile, type TableFormat } from '@orchard/dataset';
import type { ComputationContext } from '@orchard/pipeline';
import type { Request } from 'express';
import { CoordinatorError } from '../errors.js';
import type { MemoryShare, SharedCounts } from '../http/request-memory.js';
import type { RequestThreads } from '../request-threads.js';
import { tableTypes } from './describe-documents.js';
import { withKeptBody } from './kept-body.js';
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
 * Keeps a body in a temporary file, unzipped, and has a thread look through it: reading its columns takes seconds or
 * minutes.
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
  const command = computation === 'splitTable' ? 'orchard submit' : 'orchard describe';
  return withKeptBody(unpacked(uploadBytes(request, limits), limits.bytes), command, (path) => {
    const { bytes, cells } = limits;
    const body: TableBody<Query> = { path, query: { ...query, format }, bytes, cells, memory: share.counts };
    return threads.call<Answer>(computation, body, request);
  });
}

/** In the thread: the file, by the name that people know it by. */
export async function openBody({ path, bytes }: TableBody<unknown>): Promise<RowFile> {
  return { ...(await openRowFile(path, bytes, ['gzip'])), name: 'body' };
}

/** The same table while its client waits for the answer, and within a limit of time. */
export function untilGone(raw: RawTable, { isCancelled }: Pick<ComputationContext, 'isCancelled'>): RawTable {
  const end = performance.now() + 1000 * MOST_SECONDS;
  async function* batches(needed?: ReadonlySet<number>): ReturnType<RawTable['batches']> & AsyncGenerator {
    for await (const batch of raw.batches(needed)) {
      if (performance.now() > end)
        throw new CoordinatorError('over-limit', {
          got: `a table that takes more than ${MOST_SECONDS} seconds to look through`,
          expected: 'less',
          where: 'body',
          remedy: 'Send some of its rows, or use `orchard describe`.',
        });
      if (isCancelled()) throw new CoordinatorError('invalid-request', gone);
      yield batch;
    }
  }
  return { ...raw, batches, close: () => raw.close() };
}

const gone = { got: 'a client that left', expected: 'one that waits', remedy: 'Ask again.' };
