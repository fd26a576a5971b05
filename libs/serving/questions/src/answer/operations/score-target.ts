import { parseContract, seedSchema } from '@orchard/contracts';
import { asTabular, isBound, scoreTarget as scoresOf } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { z } from 'zod';
import { rowsAsTrained, rowsSchema } from '../rows.js';
import type { Operation } from './operation.js';
import { placeOf } from './place-of.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  target: z.string(),
  seed: seedSchema.default(0),
});

/** How well one column is predicted given all others, as `orchard evaluate --target` measures it. */
export const scoreTarget: Operation = async (model, question) => {
  const { rows, target, seed } = parseContract(questionSchema, question, 'scoreTarget question');
  if (isBound(model))
    throw new Refusal('invalid-argument', {
      got: `a model of the family ${model.family} whose likelihoods are lower bounds`,
      expected: 'one whose likelihoods are exact',
      where: 'scoreTarget',
      remedy: 'Train another kind of model.',
    });
  const tabular = asTabular(model);
  const index = placeOf(
    target,
    tabular.table.variables.map(({ name }) => name),
  );
  const { table, remarks } = await rowsAsTrained(rows, tabular);
  const scores = await scoresOf(tabular, table, index, { missing: 'value', seed });
  return { ...scores, column: target, said: remarks };
};
