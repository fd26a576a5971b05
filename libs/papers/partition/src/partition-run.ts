import { baseSpecificationShape, parseContract, seedSchema } from '@orchard/contracts';
import type { Run } from '@orchard/pipeline';
import { z } from 'zod';

export const partitionFamily = 'partition';

const MOST_EXPERTS = 1000;

/** How experts are learned. */
export const partitionWordsSchema = z.strictObject({
  experts: z
    .int()
    .min(1)
    .max(MOST_EXPERTS)
    .optional()
    .meta({
      description: `templates (K): a whole number from 1 to ${String(MOST_EXPERTS)}; over 16 of rows of 0 and 1, or fewer for many columns, likelihoods are lower bounds (default: 8)`,
    }),
  pseudoCount: z.number().min(0.001).max(1e6).optional().meta({
    description: 'weight of the overall mean in each template, in rows: a number from 0.001 to 1000000 (default: 1)',
  }),
  factor: z.number().min(1.01).max(1000).optional().meta({
    description: 'factor (C) of one step in the level of expertise: a number from 1.01 to 1000 (default: 2)',
  }),
  restarts: z.int().min(1).max(1000).optional().meta({
    description:
      'runs of EM from different random starts; validation rows choose one: a whole number from 1 to 1000 (default: 4)',
  }),
  steps: z.int().min(1).max(1000).optional().meta({
    description: 'steps of one run of EM: a whole number from 1 to 1000 (default: 15)',
  }),
  seed: seedSchema.optional(),
});

const wholeSchema = partitionWordsSchema.required();

export const partitionSpecificationSchema = z.strictObject({
  family: z.literal(partitionFamily),
  ...baseSpecificationShape,
  ...wholeSchema.shape,
});

export type PartitionSpecification = z.infer<typeof partitionSpecificationSchema>;

export function partitionSpecification(run: Run): PartitionSpecification {
  return parseContract(partitionSpecificationSchema, run.specification, 'run specification');
}

/** What words leave open. */
export function wholeWords(words: z.infer<typeof partitionWordsSchema>): z.infer<typeof wholeSchema> {
  const { experts = 8, pseudoCount = 1, factor = 2, restarts = 4, steps = 15, seed = 0 } = words;
  return { experts, pseudoCount, factor, restarts, steps, seed };
}
