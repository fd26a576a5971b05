import { BitMatrix, isHole, labelOf, placeOfColumn, requireRows, type RawCell, type RawTable } from '@orchard/dataset';
import { UsageError } from '../../output/errors.js';
import type { DatasetOptions } from '../../options/dataset-options.js';
import { firstSaid } from '../../options/flag-of-word.js';
import type { TableWords } from '../../options/table-options.js';

export type BitRowsOptions = Pick<DatasetOptions, 'threshold' | 'shape'>;

/** Options that say nothing about columns of 0 and 1 that are found by name. */
const UNUSED = [
  ...['columns', 'binarize', 'scale', 'oneHot', 'dimensions'],
  ...['type', 'types', 'bins', 'cutPoints', 'maxCategories', 'dates'],
] as (keyof DatasetOptions | keyof TableWords)[];

/** @throws UsageError for an option that models of 0/1 data have no use for here */
export function refuseUnusedWords(options: DatasetOptions & TableWords): void {
  const said = firstSaid(options, UNUSED);
  if (said === null) return;
  throw new UsageError({
    got: `${said}, with a model of 0/1 data`,
    expected: '--threshold and --exclude alone, which make every column but the classes 0 or 1',
    where: said,
    remedy: 'Leave it out.',
  });
}

/**
 * Columns of a table as rows of 0 and 1.
 *
 * @param columns their names, in the order of the bits
 * @throws UsageError for a column that is missing, and a value that is neither 0 nor 1 where no threshold makes it so
 */
export async function bitRowsOf(
  raw: RawTable,
  columns: readonly string[],
  { threshold, shape }: BitRowsOptions,
): Promise<BitMatrix> {
  const ofModels = { where: raw.name, expected: 'every column that the models learned from' };
  const places = columns.map((name) => placeOfColumn(name, raw.columns, ofModels));
  const needed = new Set(places);
  const parts: Uint8Array[] = [];
  let rows = 0;
  const stride = BitMatrix.create(1, columns.length).stride;
  for await (const batch of raw.batches(needed)) {
    const part = BitMatrix.create(batch.rows, columns.length);
    places.forEach((place, dim) => {
      const cells = batch.columns[place]!;
      for (let row = 0; row < batch.rows; row++) {
        const bit = bitOf(cells.at(row) ?? null, threshold);
        if (bit === null) refuseCell(raw, rows + row, columns[dim]!, cells.at(row) ?? null, threshold);
        if (bit === 1) part.set(row, dim, 1);
      }
    });
    parts.push(part.bytes.slice());
    rows += batch.rows;
  }
  requireRows(rows, raw.name);
  const whole = BitMatrix.create(rows, columns.length, { names: columns, shape: shape ?? null });
  let at = 0;
  for (const part of parts) {
    whole.bytes.set(part, at * stride);
    at += part.length / stride;
  }
  return whole;
}

/** @returns null where the cell is neither 0 nor 1 */
function bitOf(cell: RawCell, threshold: number | undefined): 0 | 1 | null {
  if (threshold === undefined) {
    if (cell === '0' || cell === 0) return 0;
    if (cell === '1' || cell === 1) return 1;
  }
  if (isHole(cell)) return null;
  const value = Number(cell);
  if (threshold !== undefined) return Number.isNaN(value) ? null : value > threshold ? 1 : 0;
  return value === 0 ? 0 : value === 1 ? 1 : null;
}

function refuseCell(raw: RawTable, row: number, column: string, cell: RawCell, threshold: number | undefined): never {
  throw new UsageError({
    got: isHole(cell) ? 'a missing value' : JSON.stringify(labelOf(cell)),
    expected: threshold === undefined ? '0 or 1: the model learns 0/1 data' : 'a number',
    where: `${raw.name}, row ${String(row + 1)}, column ${JSON.stringify(column)}`,
    remedy:
      threshold === undefined
        ? '--threshold makes numbers 0 and 1, --exclude leaves a column out; --model tables and chow-liu learn any table.'
        : '--exclude leaves a column out; --model tables and chow-liu learn any table.',
  });
}
