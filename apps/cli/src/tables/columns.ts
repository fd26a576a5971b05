import type { BitMatrix } from '@orchard/dataset';

/** What people call the columns of a data set: variables of a table, dimensions of rows of bits. */
export function columnsOf({ tableRows, dimensions, names }: BitMatrix): {
  readonly dimensions: number;
  readonly names: readonly string[] | null;
} {
  if (tableRows === null) return { dimensions, names };
  const { variables } = tableRows.table;
  return { dimensions: variables.length, names: variables.map(({ name }) => name) };
}
