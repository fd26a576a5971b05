import type { Variable } from '@orchard/contracts';
import { trainingCounts, type EncodedRows } from '@orchard/dataset';
import { log } from '@orchard/numerics';
import type { TabularModel } from '../tables/tabular-model.js';
import { cellSurprises } from './cell-surprises.js';
import { fillsOf, incompleteRows, isKnown } from './whole-rows.js';

/** Rows of a table as their reader has them. */
export interface ScoredRows extends Pick<EncodedRows, 'matrix' | 'known' | 'logDensity' | 'misfits'> {
  /** The number that a cell of an ordered variable is; without it no more is known than the cell of a density. */
  readonly numberAt?: (row: number, variable: number) => number;
}

/**
 * How surprising each cell of rows is, nats: by its conditional, with whatever is unknown integrated out by samples.
 * A cell of a kind that training never had (no number in a column of numbers, missing where none was) surprises as the
 * first one among all training rows would.
 *
 * @param missing whether a missing value is a value of its own; where it is `unknown`, it has no surprise
 * @param cells what `cellLogLikelihoods` says of these rows, where it was asked before
 * @returns element `row * V + variable`; NaN where nothing is known of a cell
 */
export function rowSurprises(
  model: TabularModel,
  rows: ScoredRows,
  missing: 'value' | 'unknown',
  cells?: Float64Array,
): Float64Array {
  const { matrix, logDensity, misfits } = rows;
  const { variables, table } = model;
  const surprises = cellSurprises(model, matrix, logDensity, cells);
  for (const row of incompleteRows(model, rows)) {
    const own = surprises.subarray(row * variables, (row + 1) * variables);
    const ofFills = surprisesOfFills(model, rows, row);
    own.set(ofFills);
    for (let index = 0; index < variables; index++)
      if (!isKnown(model, rows, row, index))
        own[index] = missing === 'value' ? surpriseOfNew(table.variables[index]!) : NaN;
  }
  for (const at of misfits) surprises[at] = surpriseOfNew(table.variables[at % variables]!);
  return surprises;
}

/** What a value of a kind that no training row had surprises by at least, nats. */
export function surpriseOfNew(variable: Variable): number {
  return log(trainingCounts(variable).reduce((sum, count) => sum + count, 1));
}

/** The mean over the fills of a row. */
function surprisesOfFills(model: TabularModel, rows: ScoredRows, row: number): Float64Array {
  const { variables } = model;
  const fills = fillsOf(model, rows, row);
  const logDensity = new Float64Array(fills.rows * variables);
  const own = rows.logDensity.subarray(row * variables, (row + 1) * variables);
  for (let fill = 0; fill < fills.rows; fill++) logDensity.set(own, fill * variables);
  const surprises = cellSurprises(model, fills, logDensity);
  const means = new Float64Array(variables);
  surprises.forEach((nats, at) => {
    means[at % variables]! += nats / fills.rows;
  });
  return means;
}
