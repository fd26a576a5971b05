import { baseSpecificationShape, parseContract } from '@orchard/contracts';
import type { Run } from '@orchard/pipeline';
import { z } from 'zod';

export const boostedFamily = 'boosted';

/** A round asks all rows of every tree so far that its thread has not asked yet, and an answer asks all trees. */
const MOST_TREES = 1000;

/** How trees are boosted. */
export const boostedWordsSchema = z.strictObject({
  components: z
    .int()
    .min(1)
    .max(MOST_TREES)
    .optional()
    .meta({
      description: `most trees to mix: a whole number from 1 to ${String(MOST_TREES)} (default: 100)`,
    }),
  waiting: z
    .int()
    .min(1)
    .max(MOST_TREES)
    .optional()
    .meta({
      description: `rounds without a gain on the validation rows before training stops: a whole number from 1 to ${String(MOST_TREES)} (default: 10)`,
    }),
  pseudoCount: z.number().min(0.001).max(1e6).optional().meta({
    description:
      'weight of the overall distribution in each tree, in rows: a number from 0.001 to 1000000 (default: 10)',
  }),
  refits: z.int().min(0).max(100).optional().meta({
    description: 'EM steps that fit each new tree again: a whole number from 0 (as in the paper) to 100 (default: 20)',
  }),
});

const wholeSchema = boostedWordsSchema.required();

export const boostedSpecificationSchema = z.strictObject({
  family: z.literal(boostedFamily),
  ...baseSpecificationShape,
  ...wholeSchema.shape,
});

export type BoostedSpecification = z.infer<typeof boostedSpecificationSchema>;

export function boostedSpecification(run: Run): BoostedSpecification {
  return parseContract(boostedSpecificationSchema, run.specification, 'run specification');
}

/** What words leave open. */
export function wholeWords(words: z.infer<typeof boostedWordsSchema>): z.infer<typeof wholeSchema> {
  const { components = 100, waiting = 10, pseudoCount = 10, refits = 20 } = words;
  return { components, waiting, pseudoCount, refits };
}
