import { codeCount, writeCode, type BitMatrix } from '@orchard/dataset';
import { exp } from '@orchard/numerics';
import type { TabularModel } from './tabular-model.js';

/**
 * P(code | all other codes of the row) of one variable, a missing value being a code as any other: exact in every model of a table, by
 * the joint distribution. It blames the cell that is wrong, where the conditionals of an autoregressive model may blame a right one that
 * comes after it. Costs a likelihood for each code and row.
 *
 * @param matrix rows of codes
 * @returns element `row * codes + code`
 */
export function givenTheRest(model: TabularModel, index: number, matrix: BitMatrix): Float64Array {
  const codes = codeCount(model.table.variables[index]!);
  const shares = new Float64Array(matrix.rows * codes);
  for (let code = 0; code < codes; code++) {
    const nats = model.logLikelihood(withCode(model, index, matrix, code));
    for (let row = 0; row < matrix.rows; row++) shares[row * codes + code] = nats[row]!;
  }
  for (let row = 0; row < matrix.rows; row++) normalize(shares.subarray(row * codes, (row + 1) * codes));
  return shares;
}

/** The rows with one variable's code replaced. */
function withCode(model: TabularModel, index: number, matrix: BitMatrix, code: number): BitMatrix {
  const [from, to] = [model.offsets[index]!, model.offsets[index + 1]!];
  const changed = matrix.selectRows(Array.from({ length: matrix.rows }, (_, row) => row));
  for (let row = 0; row < changed.rows; row++) {
    for (let bit = from; bit < to; bit++) changed.set(row, bit, 0);
    writeCode(changed, row, from, to, code);
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
