import type { Variable } from '@orchard/contracts';
import { readCodes, type BitMatrix } from '@orchard/dataset';
import { log } from '@orchard/numerics';
import type { DensityModel } from '../port/density-model.js';
import type { TabularModel } from '../tables/tabular-model.js';

/**
 * How surprising each cell of a table's rows is, in nats: `-log P(value | the columns before it)`, where no cell of a
 * density counts as narrower than the column's median cell. Without that floor a value that many rows share has a cell
 * as narrow as rounding, and a row that shares it looks the more usual the narrower it is. Widths count in medians, so
 * that units of measurement cancel.
 *
 * @param logDensity what each value adds to the log-probability of its code, nats: element `row * V + variable`
 * @returns element `row * V + variable`
 */
export function cellSurprises(model: TabularModel, matrix: BitMatrix, logDensity: Float64Array): Float64Array {
  const { variables, offsets, table } = model;
  const surprises = model.cellLogLikelihoods(matrix);
  table.variables.forEach((variable, index) => {
    const median = medianLogWidth(variable);
    const codes = readCodes(matrix, offsets[index]!, offsets[index + 1]!);
    codes.forEach((code, row) => {
      const at = row * variables + index;
      // atoms, labels and missing values have masses: no width
      const isMeasured = variable.kind === 'ordered' && variable.measure === 'density' && code < variable.values.length;
      const width = isMeasured ? median : 0;
      surprises[at] = -(surprises[at]! + Math.min(0, logDensity[at]! + width));
    });
  });
  return surprises;
}

/**
 * The same of rows of 0 and 1: `-log P(value | the columns before it)`, element `row * D + column`. Where the
 * likelihood has no share for each column, as a bound has none, the row counts as one cell.
 */
export function bitSurprises(model: DensityModel, rows: BitMatrix): Float64Array {
  const { surprise, logLikelihood } = model.score(rows, { top: 0 });
  return surprise.length > 0 ? surprise : logLikelihood.map((nats) => -nats);
}

/**
 * Log of the median width of the inner cells of a density, in the column's units; 0 of a variable without such cells.
 */
export function medianLogWidth(variable: Variable): number {
  if (variable.kind !== 'ordered' || variable.measure === 'mass' || variable.edges.length < 2) return 0;
  const widths = variable.edges.slice(1).map((edge, at) => edge - variable.edges[at]!);
  widths.sort((a, b) => a - b);
  return log(widths[Math.floor(widths.length / 2)]!);
}
