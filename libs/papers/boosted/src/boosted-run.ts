import { baseSpecificationShape, parseContract } from '@orchard/contracts';
import { PipelineError, type Run } from '@orchard/pipeline';
import { z } from 'zod';
import { MOST_PARENTS } from './network/decision-tables.js';

export const boostedFamily = 'boosted';

/** A round asks all rows of every tree so far that its thread has not asked yet, and an answer asks all trees. */
const MOST_TREES = 1000;

/** As many as the most columns could have with the most parents. */
const MOST_EDGES = MOST_PARENTS * 16_384;

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
  weak: z.enum(['tree', 'network']).optional().meta({
    description: 'what each round adds: a tree of columns, or a network with --parents and --edges (default: tree)',
  }),
  parents: z
    .int()
    .min(1)
    .max(MOST_PARENTS)
    .optional()
    .meta({
      description: `networks: most parents of a column: a whole number from 1 to ${String(MOST_PARENTS)} (default: 2)`,
    }),
  edges: z
    .int()
    .min(0)
    .max(MOST_EDGES)
    .optional()
    .meta({
      description: `networks: most edges, 0 for independent columns: a whole number to ${String(MOST_EDGES)} (default: one fewer than the columns)`,
    }),
  start: z.enum(['fitted', 'uniform']).optional().meta({
    description: 'first distribution: fitted to all rows, or uniform, as in the paper (default: fitted)',
  }),
});

/** What every specification says; the others only where they are not usual, so that a run has one name. */
const wholeSchema = boostedWordsSchema.required({ components: true, waiting: true, pseudoCount: true, refits: true });

export const boostedSpecificationSchema = z.strictObject({
  family: z.literal(boostedFamily),
  ...baseSpecificationShape,
  ...wholeSchema.shape,
});

export type BoostedSpecification = z.infer<typeof boostedSpecificationSchema>;

export function boostedSpecification(run: Run): BoostedSpecification {
  return parseContract(boostedSpecificationSchema, run.specification, 'run specification');
}

/** What words leave open. @throws PipelineError `bad-request` for words of networks where trees are boosted */
export function wholeWords(words: z.infer<typeof boostedWordsSchema>, dimensions: number): z.infer<typeof wholeSchema> {
  const { components = 100, waiting = 10, pseudoCount = 10, refits = 20, weak = 'tree', start = 'fitted' } = words;
  const { parents = 2, edges = Math.max(0, dimensions - 1) } = words;
  const ofNetworks = (['parents', 'edges'] as const).find((word) => words[word] !== undefined);
  if (weak === 'tree' && ofNetworks !== undefined)
    throw new PipelineError('bad-request', {
      got: `${ofNetworks} of trees`,
      expected: 'it with networks alone',
      where: ofNetworks,
      remedy: `Say weak network too, or leave ${ofNetworks} out.`,
    });
  return {
    components,
    waiting,
    pseudoCount,
    refits,
    ...(weak === 'network' ? { weak, parents, edges } : {}),
    ...(start === 'uniform' ? { start } : {}),
  };
}
