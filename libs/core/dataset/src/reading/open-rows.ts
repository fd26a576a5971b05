import { readDataset } from '../bit-files/read.js';
import { DatasetError, type DatasetErrorCode } from '../errors.js';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { openTableFrom } from '../table-files/open-table.js';
import type { RawTable } from '../table-files/raw-table.js';
import type { RowFile } from './row-file.js';
import type { TableFileOptions } from '../table-files/table-options.js';
import type { ReadOptions } from './options.js';

/** How a file is read: as rows of bits, as a table, or, with both, as rows of bits where every cell is 0 or 1. */
export interface RowsOptions {
  /** How it becomes rows of bits; null where it is not to be read as such. */
  readonly bits: ReadOptions | null;
  /** How it becomes a table; null where it is not to be read as such. */
  readonly table: TableFileOptions | null;
}

export interface RowsOfBits {
  readonly kind: 'bits';
  readonly matrix: BitMatrix;
}

export interface RowsOfTable {
  readonly kind: 'table';
  /** Its cells are still to be read. */
  readonly table: RawTable;
  /** Why the file is not rows of bits; null where that was not asked for. */
  readonly whyNotBits: DatasetError | null;
}

/** What the reader of bits refuses a table for. All else (a damaged file, a limit) is wrong with the file, whatever it holds. */
const REFUSALS_OF_TABLES: ReadonlySet<DatasetErrorCode> = new Set([
  'value',
  'missing-value',
  'header',
  'column',
  'format',
  'ragged',
  'empty',
]);

/** Whether the reader of bits refused rows that may be a table. */
export function isRefusalOfTable(error: unknown): error is DatasetError {
  return error instanceof DatasetError && REFUSALS_OF_TABLES.has(error.code);
}

/**
 * The rows of a file: bits, or a table whose cells are read when they are asked for. This is the one place where that is decided.
 *
 * @throws DatasetError where it is neither, or not what it has to be
 */
export async function openRows(file: RowFile, { bits, table }: RowsOptions): Promise<RowsOfBits | RowsOfTable> {
  let whyNotBits: DatasetError | null = null;
  if (bits !== null) {
    try {
      return { kind: 'bits', matrix: await readDataset({ name: file.name, bytes: file.bytes() }, bits) };
    } catch (error) {
      if (table === null || !isRefusalOfTable(error)) throw error;
      whyNotBits = error;
    }
  }
  try {
    return { kind: 'table', table: await openTableFrom(file, table!), whyNotBits };
  } catch (error) {
    // columns that were asked for and are not there are not there in a table either
    throw whyNotBits?.code === 'column' && error instanceof DatasetError && error.code === 'column'
      ? whyNotBits
      : error;
  }
}
