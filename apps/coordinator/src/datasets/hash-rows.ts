import type { DatasetFacts } from '@orchard/contracts';
import { BitMatrix, codeCount, codeOffsets, DatasetError, readCodes } from '@orchard/dataset';
import { factsOf } from '@orchard/pipeline';

/** Rows whose bits were checked, and what is known of them. */
export interface HashedRows {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly facts: DatasetFacts;
}

/**
 * The content hash of a matrix, whose buffer comes and goes without being copied: gigabytes take seconds.
 *
 * @throws DatasetError for bytes that are not a matrix, and for bits of a table that are the code of nothing
 */
export function hashRows(bytes: Uint8Array<ArrayBuffer>): HashedRows {
  const matrix = BitMatrix.from(bytes.buffer);
  checkCodes(matrix);
  return { bytes, facts: factsOf(matrix) };
}

/** The buffer that a matrix is views on. */
export function bytesOf({ buffer }: BitMatrix): Uint8Array<ArrayBuffer> {
  if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer);
  throw new TypeError('rows of a body are in memory that is not shared');
}

/**
 * Refuses bits of a table that are the code of nothing: training would find them, hours later. O(rows x dimensions).
 */
function checkCodes(matrix: BitMatrix): void {
  const { table } = matrix.columns;
  if (table === undefined) return;
  const offsets = codeOffsets(table);
  table.variables.forEach((variable, index) => {
    const count = codeCount(variable);
    const [from, to] = [offsets[index]!, offsets[index + 1]!];
    if (count === 2 ** (to - from)) return;
    const codes = readCodes(matrix, from, to);
    const row = codes.findIndex((code) => code >= count);
    if (row === -1) return;
    throw new DatasetError('buffer', {
      got: `code ${String(codes[row])}`,
      expected: `a code from 0 to ${String(count - 1)}`,
      where: `body, row ${String(row + 1)}, variable ${JSON.stringify(variable.name.slice(0, 80))}`,
      remedy: 'Encode the rows with the variables that the header describes.',
    });
  });
}
