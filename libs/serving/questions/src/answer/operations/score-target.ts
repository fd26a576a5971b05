import { scoreTarget as scoresOf } from '@orchard/model';
import { rowsAsTrained } from '../rows.js';
import type { Operation } from './operation.js';
import { targetAsked } from './target-asked.js';

/** How well one column is predicted given all others, as `orchard evaluate --target` measures it. */
export const scoreTarget: Operation = async (asked, question) => {
  const { model, index, rows, target, seed } = targetAsked(asked, question, 'scoreTarget');
  const { table, remarks } = await rowsAsTrained(rows, model);
  const scores = await scoresOf(model, table, index, { missing: 'value', seed });
  return { ...scores, column: target, said: remarks };
};
