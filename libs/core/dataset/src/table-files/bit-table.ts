import type { BitMatrix } from '../rows/bit-matrix.js';
import { nameOfDimension } from '../rows/columns.js';
import type { EncodedRows } from '../table/encode-table.js';
import { batchRows, type RawCell, type RawTable } from './raw-table.js';

/**
 * Rows of 0 and 1 as a table of as many binary columns, for what reads tables; encoding them is a copy.
 *
 * @param name of their file, for messages
 * @param known 1 for each bit that is known; the cells of the others are missing values. @default all are
 */
export function bitTable(bits: BitMatrix, name: string, known?: BitMatrix): RawTable {
  const columns = Array.from({ length: bits.dimensions }, (_, index) => nameOfDimension(index, bits.names));
  return {
    name,
    format: 'npy',
    columns,
    hasHeader: bits.names !== null,
    notes: [],
    bits,
    knownBits: known,
    async *batches(needed) {
      await Promise.resolve();
      const most = batchRows(bits.dimensions);
      for (let from = 0; from < bits.rows; from += most) {
        const rows = Math.min(most, bits.rows - from);
        const cellsOf = (column: number): RawCell[] =>
          Array.from({ length: rows }, (_, row) =>
            known?.get(from + row, column) === 0 ? null : String(bits.get(from + row, column)),
          );
        yield { rows, columns: columns.map((_, index) => (needed?.has(index) === false ? [] : cellsOf(index))) };
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Rows `from ... to - 1` as codes, which they are. @param known as that of {@link bitTable} */
export function encodedBits(bits: BitMatrix, from: number, to: number, known?: BitMatrix): EncodedRows {
  const { dimensions } = bits;
  return {
    matrix: bits.sliceRows(from, to),
    known: known?.sliceRows(from, to) ?? null,
    logDensity: new Float64Array((to - from) * dimensions),
    unseen: new Uint32Array(dimensions),
    misfits: new Set(),
    firstMisfits: [],
    values: new Map(),
  };
}
