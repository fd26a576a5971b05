import { codeCount, meanOfCode, valueCount, wordsOf } from '@orchard/dataset';
import { jointGivenKnown } from '@orchard/model';
import { exp, logSumExp } from '@orchard/numerics';
import { codedRows, unseenOf } from './encoded-rows.js';
import type { Operation } from './operation.js';
import { targetAsked } from './target-asked.js';

/**
 * The distribution of one column given all others, by the joint: P(target = k | rest) is proportional to P(k, rest).
 * `probabilities` has a value for each row and class; `values` has the mean of each class of an ordered column. It is
 * exact unless values beside the target are unknown and the model sums these out by drawing. The target's own cells are
 * not looked at.
 */
export const predict: Operation = async (asked, question) => {
  const { model, index, rows, seed } = targetAsked(asked, question, 'predict');
  const variable = model.table.variables[index]!;
  const values = valueCount(variable);
  const known = await codedRows(model, rows, { missing: 'value' });
  const { nats } = jointGivenKnown(model, index, known, seed);
  const probabilities = normalised(nats, codeCount(variable), values);
  return {
    classes: Array.from({ length: values }, (_, code) => wordsOf(variable, code)),
    values:
      variable.kind === 'ordered'
        ? Float64Array.from({ length: values }, (_, code) => meanOfCode(variable, code))
        : null,
    probabilities,
    unseen: unseenOf(known, model),
    said: known.said,
  };
};

/** Of each row the shares of its first codes, the values: absence and "(other)" lie behind them and are left out. */
function normalised(logs: Float64Array, codes: number, values: number): Float64Array {
  const rows = logs.length / codes;
  const shares = new Float64Array(rows * values);
  for (let row = 0; row < rows; row++) {
    const own = logs.subarray(row * codes, row * codes + values);
    const total = logSumExp([...own]);
    own.forEach((nats, code) => {
      shares[row * values + code] = total === -Infinity ? 1 / values : exp(nats - total);
    });
  }
  return shares;
}
