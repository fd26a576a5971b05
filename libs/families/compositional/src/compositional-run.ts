import { baseSpecificationShape, parseContract, seedSchema } from '@orchard/contracts';
import type { Run } from '@orchard/pipeline';
import { z } from 'zod';
import { compositionalFamily } from './compositional-model.js';
import { MOST_EXPERTS, mostExperts } from '@orchard/mixture/every-set';
import { compositions } from './experts.js';
import { starts } from './start-experts.js';

/** How experts are learned. */
export const compositionalWordsSchema = z.strictObject({
  experts: z
    .int()
    .min(1)
    .max(MOST_EXPERTS)
    .optional()
    .meta({
      description: `templates (K): a whole number from 1 to ${String(MOST_EXPERTS)}, fewer for many columns (default: 8, or as many as the columns allow)`,
    }),
  composition: z.enum(compositions).optional().meta({
    description:
      'how active templates combine: by the most extreme values (max-minus-min), the highest (max, for figures on a background of 0) or the sum of log-odds (log-odds); experimental: noisy-or, sum-of-odds (figures on 0), mean, normalized-sum (default: max-minus-min)',
  }),
  start: z.enum(starts).optional().meta({
    description: 'start of EM: templates made from one row after another (sequential), or random (default: sequential)',
  }),
  restarts: z.int().min(1).max(1000).optional().meta({
    description:
      'runs of EM from different starts; validation rows choose one: a whole number from 1 to 1000 (default: 4)',
  }),
  steps: z.int().min(1).max(1000).optional().meta({
    description: 'most steps of one run of EM: a whole number from 1 to 1000 (default: 10)',
  }),
  seed: seedSchema.optional(),
});

const wholeSchema = compositionalWordsSchema.required();

export const compositionalSpecificationSchema = z.strictObject({
  family: z.literal(compositionalFamily),
  ...baseSpecificationShape,
  ...wholeSchema.shape,
});

export type CompositionalSpecification = z.infer<typeof compositionalSpecificationSchema>;

export function compositionalSpecification(run: Run): CompositionalSpecification {
  return parseContract(compositionalSpecificationSchema, run.specification, 'run specification');
}

/** What words leave open. */
export function wholeWords(
  words: z.infer<typeof compositionalWordsSchema>,
  dimensions: number,
): z.infer<typeof wholeSchema> {
  const {
    experts = Math.max(1, Math.min(8, mostExperts(dimensions))),
    composition = 'max-minus-min',
    start = 'sequential',
    restarts = 4,
    steps = 10,
    seed = 0,
  } = words;
  return { experts, composition, start, restarts, steps, seed };
}
