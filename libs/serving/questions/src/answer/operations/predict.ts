import { parseContract, seedSchema } from '@orchard/contracts';
import { codeCount, meanOf, valueCount, wordsOf } from '@orchard/dataset';
import { logSumExp } from '@orchard/members';
import { asTabular, isBound, jointGivenKnown } from '@orchard/model';
import { exp } from '@orchard/numerics';
import { Refusal } from '@orchard/refusal';
import { z } from 'zod';
import { rowsSchema } from '../rows.js';
import { codedRows } from './encoded-rows.js';
import type { Operation } from './operation.js';
import { placeOf } from './place-of.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  target: z.string(),
  seed: seedSchema.default(0),
});

/**
 * The distribution of one column given all others, by the joint: P(target = k | rest) is proportional to P(k, rest).
 * `probabilities` has a value for each row and class; `values` has the mean of each class of an ordered column. It is
 * exact unless values beside the target are unknown and the model sums these out by drawing. The target's own cells are
 * not looked at.
 */
export const predict: Operation = async (model, question) => {
  const { rows, target, seed } = parseContract(questionSchema, question, 'predict question');
  if (isBound(model))
    throw new Refusal('invalid-argument', {
      got: `a model of the family ${model.family} whose likelihoods are lower bounds`,
      expected: 'one whose likelihoods are exact',
      where: 'predict',
      remedy: 'Train another kind of model.',
    });
  const tabular = asTabular(model);
  const { variables } = tabular.table;
  const names = variables.map(({ name }) => name);
  const index = placeOf(target, names);
  const variable = variables[index]!;
  const values = valueCount(variable);
  const { nats } = jointGivenKnown(tabular, index, await codedRows(tabular, rows, { missing: 'value' }), seed);
  const probabilities = normalised(nats, codeCount(variable), values);
  return {
    classes: Array.from({ length: values }, (_, code) => wordsOf(variable, code)),
    values:
      variable.kind === 'ordered' ? Float64Array.from({ length: values }, (_, code) => meanOf(variable, code)) : null,
    probabilities,
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
