import type { TabularModel } from '../tables/tabular-model.js';

/** Cells of a column that training had nothing like. */
export interface NewCells {
  readonly column: string;
  /** Values that training never saw. */
  readonly unseen: number;
  /** Cells that are not a value of the column's kind, such as a word among numbers; they count as missing. */
  readonly misfits: number;
}

/** @param misfits of each column */
export function newCellsOf(unseen: Uint32Array, misfits: Uint32Array, model: TabularModel): NewCells[] {
  return model.table.variables
    .map(({ name }, index) => ({
      column: name,
      unseen: unseen[index]! - misfits[index]!,
      misfits: misfits[index]!,
    }))
    .filter((each) => each.unseen + each.misfits > 0);
}

/** The number of misfits of each column. */
export function misfitsByColumn(misfits: ReadonlySet<number>, columns: number): Uint32Array {
  const counts = new Uint32Array(columns);
  for (const at of misfits) counts[at % columns]!++;
  return counts;
}
