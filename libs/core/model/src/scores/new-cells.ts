import type { Variable } from '@orchard/contracts';
import type { TabularModel } from '../tables/tabular-model.js';

/** Cells of a column that training had nothing like. */
export interface NewCells {
  readonly column: string;
  /** Values that training never saw. */
  readonly unseen: number;
  /** Labels that training saw too rarely to tell them apart are among these. */
  readonly orRare?: true;
  /** Cells that are not a value of the column's kind, such as a word among numbers; they count as missing. */
  readonly misfits: number;
}

/** @param misfits of each column */
export function newCellsOf(unseen: Uint32Array, misfits: Uint32Array, model: TabularModel): NewCells[] {
  return model.table.variables
    .map((variable, index) => ({
      column: variable.name,
      unseen: unseen[index]! - misfits[index]!,
      ...(hasRareLabels(variable) && { orRare: true as const }),
      misfits: misfits[index]!,
    }))
    .filter((each) => each.unseen + each.misfits > 0);
}

/** What is said of values of a column that have no code of their own. */
export function seenWords({ orRare }: Pick<NewCells, 'orRare'>): string {
  return orRare === true ? 'that training never saw, or too rarely to tell apart' : 'that training never saw';
}

/** Whether some labels of the training rows have no code of their own. */
export function hasRareLabels(variable: Variable): boolean {
  return variable.kind === 'categorical' && variable.others > 0;
}

/** The number of misfits of each column. */
export function misfitsByColumn(misfits: ReadonlySet<number>, columns: number): Uint32Array {
  const counts = new Uint32Array(columns);
  for (const at of misfits) counts[at % columns]!++;
  return counts;
}
