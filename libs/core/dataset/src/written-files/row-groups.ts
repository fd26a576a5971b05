import type { TypedValue, TypedValues } from './typed-column.js';

/** Rows that come batch by batch: of each column its cells. */
export type TypedBatches = AsyncIterable<readonly TypedValues[]> | Iterable<readonly TypedValues[]>;

/** The same rows in groups of so many, the last one excepted; only one group is held. */
export async function* rowGroups(
  batches: TypedBatches,
  rowsOf: (group: number) => number,
): AsyncGenerator<(TypedValue | null)[][], void> {
  let group = 0;
  let columns: (TypedValue | null)[][] = [];
  for await (const batch of batches) {
    const rows = batch[0]?.length ?? 0;
    for (let from = 0; from < rows;) {
      const wanted = rowsOf(group);
      const to = Math.min(rows, from + wanted - (columns[0]?.length ?? 0));
      for (const [at, values] of batch.entries()) {
        columns[at] ??= [];
        const column = columns[at];
        for (let row = from; row < to; row++) column.push(values[row]!);
      }
      from = to;
      if (columns[0]!.length < wanted) continue;
      yield columns;
      columns = [];
      group++;
    }
  }
  if (columns.length > 0) yield columns;
}
