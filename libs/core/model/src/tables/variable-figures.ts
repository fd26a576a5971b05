import { meanLogDensities, type BitMatrix } from '@orchard/dataset';
import type { TabularModel } from './tabular-model.js';

/** A variable's log-likelihood, mean nats per row: of its codes, and what the densities of its values add. */
export interface VariableFigures {
  readonly name: string;
  readonly train: number;
  readonly valid: number;
  readonly test: number | null;
  /** Leaves of its trees where it found them for itself: of a mixture those of each member. */
  readonly leaves?: readonly number[] | undefined;
  /** Where its trees start from a line; absent where they start from its rates. */
  readonly line?: LineFigures | undefined;
}

/** The line that a variable's trees start from. */
export interface LineFigures {
  /** The columns that tell it most, the most first. */
  readonly on: readonly string[];
  /** Whether it looks at products of numbers too; of a mixture, whether that of any member does. */
  readonly products?: true | undefined;
  /** How many members of a mixture have one; absent of one model. */
  readonly members?: number | undefined;
}

/** `area on radius and perimeter`, `…, with products`, of a mixture `… (3 members)`. */
export function describeLine(name: string, { on, products, members }: LineFigures): string {
  const counted = members === undefined ? '' : ` (${String(members)} ${members === 1 ? 'member' : 'members'})`;
  const curved = products === undefined ? '' : ', with products';
  return `${name} on ${on.join(' and ') || 'no column alone'}${curved}${counted}`;
}

/** Rows whose cells are held at a time. */
const ROWS_AT_A_TIME = 2 ** 14;

/** Log-likelihood of each variable of a model, mean nats per row of each split, densities included. */
export function variableFigures(
  model: TabularModel,
  { train, valid, test }: { readonly train: BitMatrix; readonly valid: BitMatrix; readonly test: BitMatrix | null },
): readonly VariableFigures[] {
  const means = {
    train: variableNats(model, train),
    valid: variableNats(model, valid),
    test: test === null ? null : variableNats(model, test),
  };
  return model.table.variables.map(({ name }, index) => ({
    name,
    train: means.train[index]!,
    valid: means.valid[index]!,
    test: means.test?.[index] ?? null,
  }));
}

/**
 * The same of one split, by variable.
 *
 * @param cells what `cellLogLikelihoods` says of the rows, where it was asked before
 */
export function variableNats(model: TabularModel, rows: BitMatrix, cells?: Float64Array): Float64Array {
  const { variables } = model;
  const sums = new Float64Array(variables);
  for (let first = 0; first < rows.rows; first += ROWS_AT_A_TIME) {
    const count = Math.min(ROWS_AT_A_TIME, rows.rows - first);
    const own =
      cells?.subarray(first * variables, (first + count) * variables) ??
      model.cellLogLikelihoods(rows.sliceRows(first, first + count));
    for (let at = 0; at < own.length; at += variables)
      for (let index = 0; index < variables; index++) sums[index]! += own[at + index]!;
  }
  const densities = meanLogDensities(rows);
  return sums.map((sum, index) => sum / rows.rows + densities[index]!);
}
