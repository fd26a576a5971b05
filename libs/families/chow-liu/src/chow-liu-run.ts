import { baseSpecificationShape } from '@orchard/contracts';
import { chowLiuFamily } from '@orchard/forests';
import { z } from 'zod';

/** How a tree is made. */
export const chowLiuWordsSchema = z.strictObject({
  pseudoCount: z.number().min(1e-6).max(1e6).optional().meta({
    description: 'pseudocount of each pair of values: a number from 0.000001 to 1000000',
  }),
  lent: z
    .union([z.literal('auto'), z.number().min(0).max(1e6)])
    .optional()
    .meta({
      description:
        'tables: rows lent to what goes with each value, spread as all rows are: auto, by rows that are left out, or a number from 0 to 1000000',
    }),
  forest: z.boolean().optional().meta({
    description:
      '0/1 data: whether to remove weak edges, by a threshold that validation rows choose: true or false (of tables, edges that tell nothing are never there)',
  }),
});

export const chowLiuSpecificationSchema = z.strictObject({
  family: z.literal(chowLiuFamily),
  ...baseSpecificationShape,
  ...chowLiuWordsSchema.required().shape,
  // of tables alone, and not of runs of earlier releases, which lend nothing
  lent: chowLiuWordsSchema.shape.lent,
  // so that a run of an earlier release is another run: its edges were judged by validation rows (absent), or lent all
  // values the same number of rows, 4 at most (left-out)
  edges: z.enum(['left-out', 'by-rows']).optional(),
});

export type ChowLiuSpecification = z.infer<typeof chowLiuSpecificationSchema>;

/** Laplace's rule, of pairs. */
export const usual = { pseudoCount: 1, forest: false } as const;
/** Of rows of each kind. */
export const usualOf = { bits: usual, table: { ...usual, lent: 'auto', edges: 'by-rows' } } as const;
