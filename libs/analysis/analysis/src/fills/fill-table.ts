import { codeCount, valuesOf, type BitMatrix, type KnownValues } from '@orchard/dataset';
import { isExactOfTable, type Completion, type TabularModel } from '@orchard/model';
import { askedOf, filledByDraws, filledByShares } from './missing-value.js';
import type { FilledCell, FillOptions } from './fill-options.js';

/** Rows as codes, what of them is known, and the values of columns that are often equal. */
export interface RowsToFill {
  /** The number of the first row, where they are a part of more: draws depend on it. */
  readonly firstRow: number;
  readonly matrix: BitMatrix;
  readonly known: BitMatrix;
  readonly values: KnownValues;
  /** Cells that are there and of which nothing is known, `row * V + variable` of these rows: they are not filled in. */
  readonly misfits: ReadonlySet<number>;
}

export interface TableFills {
  /** By row, in a row by column; rows are numbered from the first of all. */
  readonly cells: readonly FilledCell[];
  /** Missing values that stay missing, as rules have them: they are not among the cells. */
  readonly left: readonly Pick<FilledCell, 'row' | 'index'>[];
  /** How probable what is known is, and how far draws can be trusted. */
  readonly completion: Completion;
  /** Whether the cells are of the distributions themselves, not of draws. */
  readonly isExact: boolean;
}

/**
 * Fills in each missing value by one point: from its distribution where the model knows it, else from completions that
 * all cells share.
 */
export function fillTable(model: TabularModel, rows: RowsToFill, options: FillOptions): TableFills {
  const { seed, samples, draws } = options;
  const asked = askedOf(model, options);
  const { variables } = model.table;
  const { matrix, known, values, firstRow } = rows;
  const missing = missingCells(model, rows);
  if (isExactOfTable(model)) {
    const { probabilities } = model.distributions(matrix, known);
    const cells = missing.map(({ row, index }) => {
      const codes = codeCount(variables[index]!);
      const shares = probabilities[index]!.subarray(row * codes, (row + 1) * codes);
      return { row: firstRow + row, index, ...filledByShares(variables[index]!, shares, asked(index)) };
    });
    const [completion] = model.completions(matrix, known, { seed, samples, draws: 1, firstRow });
    return { cells, left: [], completion: completion!, isExact: true };
  }
  const completions = model.completions(matrix, known, { seed, samples, draws, firstRow, forCells: true });
  const isMissing = (row: number, index: number): boolean => known.get(row, model.offsets[index]!) === 0;
  // of each completion only what was missing is kept: all texts of all of them would be many times the table
  const drawn: string[][] = missing.map(() => []);
  completions.forEach((completion, draw) => {
    const texts = valuesOf(completion.matrix, model.table, seed + draw, new Map(), values, firstRow, isMissing);
    missing.forEach(({ row, index }, at) => drawn[at]!.push(texts[index]![row]!));
  });
  const cells = missing.map(({ row, index }, at) => ({
    row: firstRow + row,
    index,
    ...filledByDraws(variables[index]!, drawn[at]!, asked(index)),
  }));
  return { cells, left: [], completion: completions[0]!, isExact: false };
}

/** Cells of which nothing is known, those excepted that are there and do not fit their column; rows of these. */
export function missingCells(
  model: TabularModel,
  { known, misfits }: Pick<RowsToFill, 'known' | 'misfits'>,
): { readonly row: number; readonly index: number }[] {
  const cells: { row: number; index: number }[] = [];
  for (let row = 0; row < known.rows; row++)
    for (let index = 0; index < model.variables; index++)
      if (known.get(row, model.offsets[index]!) === 0 && !misfits.has(row * model.variables + index))
        cells.push({ row, index });
  return cells;
}
