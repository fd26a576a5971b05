import { baseSpecificationShape, MAXIMUM_MEMBERS, parseContract, seedSchema } from '@orchard/contracts';
import { PipelineError, type Run } from '@orchard/pipeline';
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
  boosted: z.boolean().optional().meta({
    description:
      'experimental: whether each network is fitted to the rows that those before it find unlikely: true or false',
  }),
  refits: z.int().min(0).max(100).optional().meta({
    description:
      'EM steps that fit each boosted network again: a whole number from 0 (as in the paper) to 100 (default: 20)',
  }),
  seed: seedSchema.optional(),
});

export type CutsetWords = z.infer<typeof cutsetWordsSchema>;

/** What every specification says; boosting only where it is wanted, so that a run has one name. */
const wholeSchema = cutsetWordsSchema.required().extend({
  boosted: z.literal(true).optional(),
  refits: cutsetWordsSchema.shape.refits,
});

export const cutsetSpecificationSchema = z.strictObject({
  family: z.literal(cutsetFamily),
  ...baseSpecificationShape,
  ...wholeSchema.shape,
});

export type CutsetSpecification = z.infer<typeof cutsetSpecificationSchema>;

export function cutsetSpecification(run: Run): CutsetSpecification {
  return parseContract(cutsetSpecificationSchema, run.specification, 'run specification');
}

/** What words leave open. @throws PipelineError `bad-request` for words that boosting has no use for, or it alone */
export function wholeWords(words: CutsetWords): z.infer<typeof wholeSchema> {
  const choose = words.choose ?? 'random';
  const { boosted = false } = words;
  const components = words.components ?? (boosted ? 40 : 1);
  if (boosted && words.bagged === true)
    throw refused('bagged', 'bagged networks that are boosted', 'one of the two', 'Leave one of them out.');
  if (boosted && words.weights === 'em')
    throw refused('weights', 'weights by EM of boosted networks', 'those of the rounds', 'Leave the weights out.');
  if (!boosted && words.refits !== undefined)
    throw refused(
      'refits',
      'refits of networks that are not boosted',
      'boosted ones',
      'Say boosted too, or leave it out.',
    );
  return {
    choose,
    components,
    bagged: words.bagged ?? (!boosted && components > 1 && choose !== 'random'),
    weights: words.weights ?? 'uniform',
    minRows: words.minRows ?? 500,
    minColumns: words.minColumns ?? 3,
    leafModel: words.leafModel ?? 'chow-liu',
    pseudoCount: words.pseudoCount ?? 1,
    seed: words.seed ?? 0,
    ...(boosted ? { boosted, refits: words.refits ?? 20 } : {}),
  };
}

function refused(where: string, got: string, expected: string, remedy: string): PipelineError {
  return new PipelineError('bad-request', { got, expected, where, remedy });
}
