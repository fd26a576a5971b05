import { DatasetError, openRowFile, openRows } from '@orchard/dataset';
import type { Format } from '@orchard/dataset';
import { MemoryShare, type SharedCounts } from '../http/request-memory.js';
import { readOptionsOf, type UploadQuery } from './dataset-documents.js';
import { bytesOf, hashRows, type HashedRows } from './hash-rows.js';

/** A body of rows of bits, as it goes to a thread. */
export interface RowsBody {
  /** The file that keeps it as it was sent. */
  readonly path: string;
  readonly query: UploadQuery;
  readonly format: Format | undefined;
  readonly cells: number;
  /** Of the data set that the rows' categories are those of. */
  readonly categoriesOf: readonly string[] | null | undefined;
  readonly memory: SharedCounts;
}

/**
 * The rows of a file that was sent, and their content hash.
 *
 * @throws DatasetError for a file that cannot be read; CoordinatorError `too-large`, `unavailable`
 */
export async function readRows(body: RowsBody): Promise<HashedRows> {
  const { path, query, format, cells, categoriesOf } = body;
  const share = new MemoryShare(body.memory);
  const onMemory = (more: number): void => share.take(more);
  const file = await openRowFile(path, undefined, ['gzip']);
  try {
    const bits = { ...readOptionsOf(query), format, maxCells: cells, categoriesOf, onMemory };
    const { matrix } = await openRows({ name: 'body', bytes: () => file.bytes() }, { bits, table: null });
    return hashRows(bytesOf(matrix));
  } catch (error) {
    throw withWayOfTables(error);
  } finally {
    await file.close();
  }
}

/**
 * A cell other than 0 and 1 may be a table's, whose rows come as codes: the answer to a client that sends text says so.
 */
function withWayOfTables(error: unknown): unknown {
  if (!(error instanceof DatasetError) || !['value', 'missing-value'].includes(error.code)) return error;
  const { code, got, expected, where, remedy } = error;
  const place = where === undefined ? {} : { where };
  const way =
    'A table of labels, numbers, dates or missing values is submitted by `orchard submit`, or by POST /v1/datasets?valid-fraction=0.1; POST /v1/datasets?describe=true says what would be learned of it.';
  return new DatasetError(code, { got, expected, ...place, remedy: `${remedy} ${way}` }, { cause: error });
}
