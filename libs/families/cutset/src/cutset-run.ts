import { baseSpecificationShape, MAXIMUM_MEMBERS, parseContract, seedSchema } from '@orchard/contracts';
import type { Run } from '@orchard/pipeline';
import { z } from 'zod';
import { cutsetFamily } from './cutset-model.js';

/** How a cutset network is learned, and how many are mixed. */
export const cutsetWordsSchema = z.strictObject({
  choose: z.enum(['random', 'entropy', 'likelihood']).optional().meta({
    description: 'how to choose the column of a condition: random, entropy or likelihood',
  }),
  components: z
    .int()
    .min(1)
    .max(MAXIMUM_MEMBERS)
    .optional()
    .meta({
      description: `networks to mix: a whole number from 1 to ${String(MAXIMUM_MEMBERS)}`,
    }),
  bagged: z.boolean().optional().meta({
    description: 'whether each network learns from a bootstrap sample of the rows: true or false',
  }),
  weights: z.enum(['uniform', 'em']).optional().meta({
    description: 'weights of the networks: uniform, or em (fitted to the validation rows)',
  }),
  minRows: z
    .int()
    .min(1)
    .max(2 ** 32)
    .optional()
    .meta({
      description: 'delta: a condition needs more rows than this: a whole number from 1',
    }),
  minColumns: z
    .int()
    .min(1)
    .max(2 ** 20)
    .optional()
    .meta({
      description: 'sigma: a condition needs more columns than this: a whole number from 1',
    }),
  leafModel: z
    .enum(['chow-liu', 'product'])
    .optional()
    .meta({ description: 'model of the leaves: chow-liu or product' }),
  pseudoCount: z.number().min(1e-6).max(1e6).optional().meta({
    description: 'pseudocount of each pair of values: a number from 0.000001 to 1000000',
  }),
  seed: seedSchema.optional(),
});

export type CutsetWords = z.infer<typeof cutsetWordsSchema>;

const wholeSchema = cutsetWordsSchema.required();

export const cutsetSpecificationSchema = z.strictObject({
  family: z.literal(cutsetFamily),
  ...baseSpecificationShape,
  ...wholeSchema.shape,
});

export type CutsetSpecification = z.infer<typeof cutsetSpecificationSchema>;

export function cutsetSpecification(run: Run): CutsetSpecification {
  return parseContract(cutsetSpecificationSchema, run.specification, 'run specification');
}

/** What words leave open. */
export function wholeWords(words: CutsetWords): z.infer<typeof wholeSchema> {
  const choose = words.choose ?? 'random';
  const components = words.components ?? 1;
  return {
    choose,
    components,
    bagged: words.bagged ?? (components > 1 && choose !== 'random'),
    weights: words.weights ?? 'uniform',
    minRows: words.minRows ?? 500,
    minColumns: words.minColumns ?? 3,
    leafModel: words.leafModel ?? 'chow-liu',
    pseudoCount: words.pseudoCount ?? 1,
    seed: words.seed ?? 0,
  };
}
