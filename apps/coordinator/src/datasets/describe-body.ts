import { describeTable, openRows } from '@orchard/dataset';
import type { ComputationContext } from '@orchard/pipeline';
import type { z } from 'zod';
import { MemoryShare } from '../http/request-memory.js';
import {
  tableFileOptionsOf,
  tableOptionsOf,
  type DescribeQuery,
  type descriptionSchema,
} from './describe-documents.js';
import { openBody, untilGone, type TableBody } from './table-body.js';

/**
 * What would be learned of the table that a body is. Its columns are looked through in bounded memory: that of a page
 * of each column where the file is Parquet, of a record batch where it is Arrow.
 *
 * @throws DatasetError for a file that cannot be read; CoordinatorError `too-large`, `over-limit`, `unavailable`
 */
export async function describeBody(
  body: TableBody<DescribeQuery>,
  context: ComputationContext,
): Promise<z.infer<typeof descriptionSchema>> {
  const { query, bytes } = body;
  const said = tableOptionsOf(query);
  const share = new MemoryShare(body.memory);
  const file = await openBody(body);
  try {
    const table = { ...tableFileOptionsOf(query), format: query.format, maxUnpackedBytes: bytes };
    const rows = await openRows(file, { bits: null, table });
    const onMemory = (more: number): void => share.take(more);
    const description = await describeTable(untilGone(rows.table, context), { ...said, onMemory });
    return {
      format: rows.table.format,
      rows: description.rows,
      notes: [...description.notes],
      variables: description.variables.map((variable) => ({ ...variable, warnings: [...variable.warnings] })),
      leftOut: [...description.leftOut],
    };
  } finally {
    await file.close();
  }
}
