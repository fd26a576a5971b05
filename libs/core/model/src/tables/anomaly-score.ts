import type { Variable } from '@orchard/contracts';
import { readCodes, type BitMatrix } from '@orchard/dataset';
import { log } from '@orchard/numerics';
import type { TabularModel } from './tabular-model.js';

/**
 * How surprising each cell of a table's rows is, in nats: `-log P(value | the columns before it)`, where no cell of a density counts as
 * narrower than the column's median cell. Without that floor a value that many rows share has a cell as narrow as rounding, and a row
 * that shares it looks the more usual the narrower it is. Widths count in medians, so that units of measurement cancel.
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

/** Log of the median width of the inner cells of a density, in the column's units; 0 of a variable without such cells. */
export function medianLogWidth(variable: Variable): number {
  if (variable.kind !== 'ordered' || variable.measure === 'mass' || variable.edges.length < 2) return 0;
  const widths = variable.edges.slice(1).map((edge, at) => edge - variable.edges[at]!);
  widths.sort((a, b) => a - b);
  return log(widths[Math.floor(widths.length / 2)]!);
}

/**
 * What a column's surprise usually is: its mean over the rows, NaN values left out.
 *
 * @param surprises element `row * columns + column`, nats
 */
export function typicalSurprises(surprises: Float64Array, columns: number): Float64Array {
  const sums = new Float64Array(columns);
  const counts = new Uint32Array(columns);
  for (let at = 0; at < surprises.length; at++) {
    if (Number.isNaN(surprises[at]!)) continue;
    sums[at % columns]! += surprises[at]!;
    counts[at % columns]!++;
  }
  return sums.map((sum, column) => (counts[column] === 0 ? 0 : sum / counts[column]!));
}

/**
 * The anomaly score of each row: how far its cells are more surprising than is typical of their columns, summed; 0 or more, nats. A very
 * usual value in one column does not make up for a very unusual one in another, as it does in a sum of log-likelihoods.
 *
 * @param surprises element `row * columns + column`, nats; NaN counts nothing
 * @param typical of each column, as {@link typicalSurprises}
 */
export function anomalyScores(surprises: Float64Array, typical: Float64Array): Float64Array {
  const columns = typical.length;
  const scores = new Float64Array(surprises.length / columns);
  for (let at = 0; at < surprises.length; at++) {
    const excess = surprises[at]! - typical[at % columns]!;
    if (excess > 0) scores[Math.floor(at / columns)]! += excess;
  }
  return scores;
}
