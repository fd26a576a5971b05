import type { OrderedVariable, Variable } from '@orchard/contracts';
import { isMass, isTail, logDensityIn, logShareOfGap, ownLogRates, readCodes, type BitMatrix } from '@orchard/dataset';
import { log } from '@orchard/numerics';
import type { DensityModel } from '../port/density-model.js';
import { isUnlearned, learnedCounts, surpriseOfOne } from './learned-counts.js';
import type { TabularModel } from '../tables/tabular-model.js';

/**
 * How surprising each cell of a table's rows is, in nats: `-log P(value | the columns before it)`, where no cell of a
 * density counts as narrower than the column's median cell. Without that floor a value that many rows share has a cell
 * as narrow as rounding, and a row that shares it looks the more usual the narrower it is. Widths count in medians, so
 * that units of measurement cancel.
 *
 * Where the likelihood has no share for each column, as a bound has none, a row counts as one cell.
 *
 * @param logDensity what each value adds to the log-probability of its code, nats: element `row * V + variable`
 * @param cells what `cellLogLikelihoods` says of these rows, where it was asked before: it takes the time
 * @returns element `row * V + variable`
 */
export function cellSurprises(
  model: TabularModel,
  matrix: BitMatrix,
  logDensity: Float64Array,
  cells?: Float64Array,
): Float64Array {
  const { variables, offsets, table, ofBits } = model;
  if (ofBits !== undefined) return surprisesOfBits(ofBits, matrix, cells);
  const surprises = cells?.slice() ?? model.cellLogLikelihoods(matrix);
  const learned = learnedCounts(model);
  table.variables.forEach((variable, index) => {
    const [counts, natsOfOne] = [learned?.[index], surpriseOfOne(variable)];
    const median = medianLogWidth(variable);
    const codes = readCodes(matrix, offsets[index]!, offsets[index + 1]!);
    codes.forEach((code, row) => {
      const at = row * variables + index;
      // atoms, labels and missing values have masses: no width
      const isMeasured = variable.kind === 'ordered' && variable.measure === 'density' && code < variable.values.length;
      const width = isMeasured ? median : 0;
      const nats = isMeasured
        ? widenedTail(variable, code, logDensity[at]!)
        : logDensity[at]! + natsAboveGap(variable, code, logDensity[at]!);
      const surprise = -(surprises[at]! + Math.min(0, nats + width));
      surprises[at] = isUnlearned(variable, counts, code) ? Math.min(surprise, natsOfOne) : surprise;
    });
  });
  return surprises;
}

/**
 * A log-density in a tail, as wide as few rows say it is. The scale of an exponential tail is the mean of the k rows of
 * the outermost cell, so that it may well be several times as great: over all scales that these rows allow (each
 * logarithm of it alike likely before) the density falls by (1 + t / k)^-(k + 1) at t scales, and not by e^-t. Of many
 * rows both are the same; of five, 199 nats become 22.
 */
export function widenedTail(variable: OrderedVariable, code: number, logDensity: number): number {
  if (!isTail(variable, code)) return logDensity;
  const borders = variable.pieces?.borders ?? variable.edges;
  const atEdge = logDensityIn(variable, code, code === 0 ? borders[0]! : borders.at(-1)!);
  const scales = atEdge - logDensity;
  if (!(scales > 0)) return logDensity;
  const rows = Math.max(1, variable.counts[code]!);
  return atEdge - (rows + 1) * log(1 + scales / rows);
}

/**
 * What is added to the log-density of a number between masses that training never had, nats; 0 of any other value. It
 * has the code of the nearest value: it surprises as a value does that comes once (`surpriseOfOne`), whichever of the
 * gaps' numbers it is, and as much more or less as the nearest value is less or more likely than usual.
 */
function natsAboveGap(variable: Variable, code: number, logDensity: number): number {
  // a value that training had adds nothing, and a new one less than that
  if (logDensity === 0 && variable.kind === 'ordered' && variable.beyond !== undefined) return 0;
  if (!isMass(variable) || code >= variable.values.length || logDensity !== logShareOfGap(variable, code)) return 0;
  return -surpriseOfOne(variable) - ownLogRates(variable)[code]! - logDensity;
}

/**
 * What a value adds to the surprise of its code, nats. All values beyond an outermost edge have one code: one far out
 * adds `-log` of the chance that a value of the cell lies as far out or farther. Of an exponential that is its density
 * times its scale; here the density is as of `widenedTail`. A number that training never had adds by how much it is
 * less likely than the value whose code it has. 0 of values that are no farther out than is usual, and of all other
 * cells.
 */
export function natsOfValue(variable: Variable, code: number, logDensity: number): number {
  if (isMass(variable) && code < variable.values.length)
    return -(logDensity + natsAboveGap(variable, code, logDensity));
  if (variable.kind !== 'ordered' || !isTail(variable, code)) return 0;
  return Math.max(0, -(widenedTail(variable, code, logDensity) + log(variable.tails![code === 0 ? 0 : 1])));
}

function surprisesOfBits(model: DensityModel, rows: BitMatrix, cells: Float64Array | undefined): Float64Array {
  if (cells !== undefined && cells.length > 0) return cells.map((nats) => -nats);
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
