import { codeCount, writeCode, type BitMatrix } from '@orchard/dataset';
import { exp } from '@orchard/numerics';
import type { TabularModel } from '../tables/tabular-model.js';

/**
 * P(code | all other codes of the row) of one variable, a missing value being a code as any other: exact in every model
 * of a table, by the joint distribution. It blames the cell that is wrong, where the conditionals of an autoregressive
 * model may blame a right one that comes after it. Costs a likelihood for each code and row.
 *
 * @param matrix rows of codes
 * @returns element `row * codes + code`
 */
export function givenTheRest(model: TabularModel, index: number, matrix: BitMatrix): Float64Array {
  const codes = codeCount(model.table.variables[index]!);
  const shares = jointOfCodes(model, index, matrix);
  for (let row = 0; row < matrix.rows; row++) normalize(shares.subarray(row * codes, (row + 1) * codes));
  return shares;
}

/**
 * log P(code, all other codes of the row) of each code of one variable, nats.
 *
 * @param matrix rows of codes
 * @returns element `row * codes + code`
 */
export function jointOfCodes(model: TabularModel, index: number, matrix: BitMatrix): Float64Array {
  const codes = codeCount(model.table.variables[index]!);
  const joint = new Float64Array(matrix.rows * codes);
  const codesAtATime = Math.max(1, Math.floor(ROWS_AT_A_TIME / matrix.rows));
  for (let from = 0; from < codes; from += codesAtATime) {
    const count = Math.min(codesAtATime, codes - from);
    const nats = model.logLikelihood(withCodes(model, index, matrix, from, count));
    for (let at = 0; at < nats.length; at++)
      joint[(at % matrix.rows) * codes + from + Math.floor(at / matrix.rows)] = nats[at]!;
  }
  return joint;
}

/** Rows whose likelihoods are computed in one call: each call costs something too. */
const ROWS_AT_A_TIME = 4096;

/** The rows with one variable's code replaced, once for each of `count` codes from `from` on. */
export function withCodes(
  model: TabularModel,
  index: number,
  matrix: BitMatrix,
  from: number,
  count: number,
): BitMatrix {
  const [begin, end] = [model.offsets[index]!, model.offsets[index + 1]!];
  const changed = matrix.selectRows(Array.from({ length: matrix.rows * count }, (_, at) => at % matrix.rows));
  for (let row = 0; row < changed.rows; row++) {
    for (let bit = begin; bit < end; bit++) changed.set(row, bit, 0);
    writeCode(changed, row, begin, end, from + Math.floor(row / matrix.rows));
  }
  return changed;
}

/** Logarithms become probabilities that sum to 1, in place. */
function normalize(logs: Float64Array): void {
  const greatest = logs.reduce((most, value) => Math.max(most, value), -Infinity);
  let sum = 0;
  for (let code = 0; code < logs.length; code++) {
    logs[code] = exp(logs[code]! - greatest);
    sum += logs[code]!;
  }
  for (let code = 0; code < logs.length; code++) logs[code]! /= sum;
}
