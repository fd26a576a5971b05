import { DatasetError, describeTable, openTable, type RawTable } from '@orchard/dataset';
import type { Request } from 'express';
import type { z } from 'zod';
import { CoordinatorError } from '../errors.js';
import type { MemoryShare } from '../http/request-memory.js';
import {
  tableFileOptionsOf,
  tableOptionsOf,
  tableTypes,
  type DescribeQuery,
  type descriptionSchema,
} from './describe-documents.js';
import { unpacked } from './unpacked.js';
import { formatAmong, uploadBytes, type UploadLimits } from './upload-body.js';

/** What a look through a table may take once its body is there. */
const MOST_SECONDS = 120;
/** What opening a file takes: its first bytes, lines and batches. */
const OPEN_BYTES = 64 << 20;

/**
 * What would be learned of the table that a body is. The body goes to a temporary file, unzipped; its columns are looked through from there,
 * in bounded memory: that of a page of each column where the file is Parquet, of a record batch where it is Arrow.
 *
 * @throws DatasetError for a file that cannot be read; CoordinatorError `too-large`, `over-limit`, `unavailable`
 */
export async function describeBody(
  request: Request,
  query: DescribeQuery,
  limits: UploadLimits,
  share: MemoryShare,
): Promise<z.infer<typeof descriptionSchema>> {
  const said = tableOptionsOf(query);
  const format = query.format ?? formatAmong(request, tableTypes);
  share.take(Math.min(OPEN_BYTES, limits.bytes));
  const bytes = unpacked(uploadBytes(request, limits), limits.bytes);
  try {
    const raw = await openTable(
      { name: 'body', bytes },
      {
        ...tableFileOptionsOf(query),
        format,
        maxUnpackedBytes: limits.bytes,
      },
    );
    try {
      const onMemory = (more: number): void => share.take(more);
      const description = await describeTable(untilGone(raw, request), { ...said, onMemory });
      return {
        format: raw.format,
        rows: description.rows,
        notes: [...description.notes],
        variables: description.variables.map((variable) => ({ ...variable, warnings: [...variable.warnings] })),
        leftOut: [...description.leftOut],
      };
    } finally {
      await raw.close();
    }
  } catch (error) {
    throw ownError(error);
  }
}

/** The same table while somebody waits for the answer, and not for ever. */
export function untilGone(raw: RawTable, request: Request): RawTable {
  const end = performance.now() + 1000 * MOST_SECONDS;
  async function* batches(needed?: ReadonlySet<number>): ReturnType<RawTable['batches']> & AsyncGenerator {
    for await (const batch of raw.batches(needed)) {
      if (performance.now() > end) throw tooLong();
      if (request.socket.destroyed) throw new CoordinatorError('invalid-request', gone);
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

/** What went wrong in getting the bytes is wrapped by the reader; where they could not be kept, that is no fault of the file. */
export function ownError(error: unknown): unknown {
  if (!(error instanceof DatasetError)) return error;
  if (error.cause instanceof CoordinatorError || error.cause instanceof DatasetError) return error.cause;
  if (error.code !== 'source') return error;
  const parts = {
    got: 'no room to keep the body while it is looked through',
    expected: 'a temporary folder (TMPDIR) with room',
    remedy: 'Wait, ask whoever runs this coordinator, or use `orchard describe`.',
  };
  return new CoordinatorError('unavailable', parts, { cause: error });
}
