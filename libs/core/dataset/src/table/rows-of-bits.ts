import type { Variable } from '@orchard/contracts';
import { BitMatrix } from '../rows/bit-matrix.js';
import type { TableSplits } from './read-splits.js';

/** The splits of a table as rows of bits, without a description of variables. */
export type BitSplits = Pick<TableSplits, 'train' | 'valid' | 'test'>;

/** Whether the columns are 0 and 1, and have no missing values. */
export function areBits(variables: readonly Variable[]): boolean {
  return variables.every(
    (variable) =>
      variable.kind === 'binary' &&
      variable.holes === 0 &&
      variable.labels.every((label) => /^[01](?:\.0+)?$/.test(label)),
  );
}

/**
 * A table whose every column is 0 and 1 is rows of bits, whatever its file: Parquet and NumPy have types that say `1.0`
 * for 1.
 *
 * @param shared whether the bits lie in memory that threads share
 * @returns null for any other table
 */
export function rowsOfBits({ table, train, valid, test }: TableSplits, shared: boolean): BitSplits | null {
  if (!areBits(table.variables)) return null;
  const names = table.variables.map(({ name }) => name);
  const bits = (rows: BitMatrix): BitMatrix => {
    const plain = BitMatrix.create(rows.rows, rows.dimensions, { names, shared });
    plain.bytes.set(rows.bytes);
    return plain;
  };
  return { train: bits(train), valid: valid && bits(valid), test: test && bits(test) };
}
