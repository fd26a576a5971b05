import { parseContract, seedSchema } from '@orchard/contracts';
import { scoreTarget as scoresOf } from '@orchard/model';
import { z } from 'zod';
import { rowsAsTrained, rowsSchema } from '../rows.js';
import type { Operation } from './operation.js';
import { targetOf } from './target-of.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  target: z.string(),
  seed: seedSchema.default(0),
});

/** How well one column is predicted given all others, as `orchard evaluate --target` measures it. */
export const scoreTarget: Operation = async (asked, question) => {
  const { rows, target, seed } = parseContract(questionSchema, question, 'scoreTarget question');
  const { model, index } = targetOf(asked, target, 'scoreTarget');
  const { table, remarks } = await rowsAsTrained(rows, model);
  const scores = await scoresOf(model, table, index, { missing: 'value', seed });
  return { ...scores, column: target, said: remarks };
};
