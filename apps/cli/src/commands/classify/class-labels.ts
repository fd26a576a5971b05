import { isHole, labelOf, placeOfColumn, type RawTable } from '@orchard/dataset';

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

/** @throws DatasetError where the file has no such column */
export async function requireLabels(raw: RawTable, column: string): Promise<(string | null)[]> {
  placeOfColumn(column, raw.columns, { where: '--by', expected: `a column of ${raw.name}` });
  return (await labelsOf(raw, column))!;
}
