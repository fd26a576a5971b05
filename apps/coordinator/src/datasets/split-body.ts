import {
  DatasetError,
  FORMATS,
  openRowFile,
  readTrainingRows,
  rowsOfShare,
  type BitMatrix,
  type Format,
  type ReadOptions,
  type TrainingRows,
} from '@orchard/dataset';
import { families } from '@orchard/registry';
import type { Request } from 'express';
import type { MemoryShare } from '../http/request-memory.js';
import { ownError, untilGone } from './describe-body.js';
import { tableFileOptionsOf, tableOptionsOf, tableTypes } from './describe-documents.js';
import type { SplitQuery, SplitsAnswer } from './split-documents.js';
import { unpacked } from './unpacked.js';
import { formatAmong, uploadBytes, type UploadLimits } from './upload-body.js';

/** What opening a file takes: its first bytes, lines and batches. */
const OPEN_BYTES = 64 << 20;
/** Parameters that say nothing of a table alone. */
const OF_ANY_ROWS: ReadonlySet<string> = new Set([
  'format',
  'header',
  'missing',
  'zero-based',
  'valid-fraction',
  'test-fraction',
  'seed',
]);
/** Bytes of a row's cells at most, on their way to codes; more is the business of `orchard submit`. */
const CELL_BYTES = 8;

/** The parts of a table in the order of training, validation and test rows, and what is answered beside their ids. */
export interface SplitRows extends Omit<SplitsAnswer, 'train' | 'valid' | 'test'> {
  readonly parts: readonly BitMatrix[];
}

/**
 * Reads a table from a body and shares its rows out, as `orchard submit` does on the machine of whoever calls it: for those who have a
 * browser alone.
 *
 * @throws DatasetError for a file that cannot be read; CoordinatorError `too-large`, `over-limit`, `unavailable`
 */
export async function splitBody(
  request: Request,
  query: SplitQuery,
  limits: UploadLimits,
  share: MemoryShare,
): Promise<SplitRows> {
  const notes: string[] = [];
  const format = query.format ?? formatAmong(request, tableTypes);
  share.take(Math.min(OPEN_BYTES, limits.bytes));
  const { kind, train, valid, test, asTable } = await readSplits();
  return {
    model: families.usualFor(kind).name,
    parts: test === null ? [train, valid!] : [train, valid!, test],
    rows: { train: train.rows, valid: valid!.rows, test: test?.rows ?? null },
    notes,
    leftOut: [...(asTable?.table.leftOut ?? [])],
  };

  async function readSplits(): Promise<TrainingRows> {
    const fractions = { valid: query['valid-fraction'], test: query['test-fraction'] };
    const saysTable = Object.entries(query).some(([name, value]) => value !== undefined && !OF_ANY_ROWS.has(name));
    const formatOfBits = FORMATS.find((known) => known === format);
    let columns = 0;
    const mayBeBits = !saysTable && (format === undefined || formatOfBits !== undefined);
    try {
      const bytes = unpacked(uploadBytes(request, limits), limits.bytes);
      const file = await openRowFile({ name: 'body', bytes }, limits.bytes);
      try {
        return await readTrainingRows(
          { train: file, valid: null, test: null },
          {
            bits: mayBeBits ? () => bitOptions(formatOfBits) : null,
            table: { ...tableFileOptionsOf(query), format, maxUnpackedBytes: limits.bytes },
            columns: tableOptionsOf(query),
            fractions,
            seed: query.seed,
            checkRows: (rows) => {
              checkRows(rows, fractions);
              share.take(rows * columns * CELL_BYTES);
            },
            wrap: (raw) => {
              columns = raw.columns.length;
              return untilGone(raw, request);
            },
            onNote: (note) => notes.push(note),
          },
        );
      } finally {
        await file.close();
      }
    } catch (error) {
      throw ownError(error);
    }
  }

  function bitOptions(formatOfBits: Format | undefined): ReadOptions {
    const { header, missing } = tableFileOptionsOf(query);
    const onMemory = (more: number): void => share.take(more);
    return { format: formatOfBits, header, missing, maxCells: limits.cells, onMemory };
  }
}

/** @throws DatasetError `limit` where a share is no row, or all of them are taken */
function checkRows(rows: number, { valid, test }: { readonly valid: number; readonly test: number }): void {
  const taken = rowsOfShare(rows, valid) + (test > 0 ? rowsOfShare(rows, test) : 0);
  const isEnough = rowsOfShare(rows, valid) > 0 && (test === 0 || rowsOfShare(rows, test) > 0) && taken < rows;
  if (isEnough) return;
  throw new DatasetError('limit', {
    got: `${String(rows)} rows, of which a share of ${String(valid)} validates${test > 0 ? ` and one of ${String(test)} tests` : ''}`,
    expected: 'at least one row of each, and one to train on',
    remedy: 'Send more rows, or give other shares: ?valid-fraction=, ?test-fraction=.',
  });
}
