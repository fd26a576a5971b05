import { correctColumn, isHole, labelOf, type RawTable } from '@orchard/dataset';
import { UsageError } from '../errors.js';

/**
 * What a column says of each row of a file, in the order of the file; null where it says nothing.
 *
 * @returns null where the file has no such column
 */
export async function labelsOf(raw: RawTable, column: string): Promise<(string | null)[] | null> {
  const place = raw.columns.indexOf(column);
  if (place < 0) return null;
  const labels: (string | null)[] = [];
  for await (const { rows, columns } of raw.batches(new Set([place])))
    for (let row = 0; row < rows; row++) {
      const cell = columns[place]!.at(row) ?? null;
      labels.push(isHole(cell) ? null : labelOf(cell));
    }
  return labels;
}

/** @throws UsageError where the file has no such column */
export async function requireLabels(raw: RawTable, column: string): Promise<(string | null)[]> {
  const labels = await labelsOf(raw, column);
  if (labels !== null) return labels;
  return refuseNoColumn(column, '--by', raw);
}

export function refuseNoColumn(column: string, where: string, raw: RawTable): never {
  throw new UsageError({
    got: `the column ${JSON.stringify(column)}`,
    expected: `a column of ${raw.name}`,
    where,
    remedy: correctColumn(column, raw.columns),
  });
}
