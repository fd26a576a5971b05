import { associationsIn } from '@orchard/analysis';
import { parseContract, seedSchema } from '@orchard/contracts';
import { z } from 'zod';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({
  rows: z.int().min(100).max(10_000_000).default(10_000),
  seed: seedSchema.default(0),
});

/**
 * The mutual information of each pair of columns in nats, entropies on the diagonal, and its strength from 0 to 1, from
 * sampled rows.
 */
export const associations: Operation = (model, question) => {
  const { rows, seed } = parseContract(questionSchema, question, 'associations question');
  const { nats, strengths } = associationsIn(model, rows, seed);
  return { nats, strengths };
};
