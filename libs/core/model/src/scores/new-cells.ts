import type { Variable } from '@orchard/contracts';
import type { EncodedRows, Misfit } from '@orchard/dataset';
import { count, counted } from '@orchard/refusal';
import type { TabularModel } from '../tables/tabular-model.js';

/** Cells of a column that training had nothing like. */
export interface NewCells {
  readonly column: string;
  /** Values that training never saw. */
  readonly unseen: number;
  /** Labels that training saw too rarely to tell them apart are among these. */
  readonly orRare?: true | undefined;
  /** Cells that are not a value of the column, such as a word among numbers: nothing is known of them. */
  readonly misfits: number;
  /** The first of the misfits; absent where there is none. */
  readonly example?: Misfit | undefined;
}

/** Counts what training had nothing like, over the parts of a file. */
export class NewCellCounts {
  readonly #unseen: Uint32Array;
  readonly #misfits: Uint32Array;
  readonly #examples: (Misfit | null)[];

  constructor(private readonly model: TabularModel) {
    this.#unseen = new Uint32Array(model.variables);
    this.#misfits = new Uint32Array(model.variables);
    this.#examples = model.table.variables.map(() => null);
  }

  add({ unseen, misfits, firstMisfits }: Pick<EncodedRows, 'unseen' | 'misfits' | 'firstMisfits'>): this {
    for (let index = 0; index < this.#unseen.length; index++) this.#unseen[index]! += unseen[index]!;
    for (const at of misfits) this.#misfits[at % this.#misfits.length]!++;
    firstMisfits.forEach((misfit, index) => {
      this.#examples[index] ??= misfit;
    });
    return this;
  }

  /** Of each column that has some. */
  get cells(): NewCells[] {
    return this.model.table.variables
      .map((variable, index) => ({
        column: variable.name,
        unseen: this.#unseen[index]! - this.#misfits[index]!,
        ...(hasRareLabels(variable) && { orRare: true as const }),
        misfits: this.#misfits[index]!,
        ...(this.#examples[index] !== null && { example: this.#examples[index]! }),
      }))
      .filter(({ unseen, misfits }) => unseen + misfits > 0);
  }
}

/** What is said of values of a column that have no code of their own. */
export function seenWords({ orRare }: Pick<NewCells, 'orRare'>): string {
  return orRare === true ? 'that training never saw, or too rarely to tell apart' : 'that training never saw';
}

/** What is done with a cell that is not a value of its column. */
export type Becomes = 'counted as missing' | 'kept as written';

/** What is said of cells that are not values of their column. */
export function misfitWords(
  { column, misfits, example }: Pick<NewCells, 'column' | 'misfits' | 'example'>,
  becomes: Becomes,
): string {
  const such = example === undefined ? '' : `: ${JSON.stringify(example.text)} in row ${count(example.row)}`;
  const cells = counted(misfits, 'cell that does', 'cells that do');
  return `${cells} not fit the column ${JSON.stringify(column)}, ${becomes}${such}`;
}

/** Whether some labels of the training rows have no code of their own. */
export function hasRareLabels(variable: Variable): boolean {
  return variable.kind === 'categorical' && variable.others > 0;
}
