import { baseSpecificationShape, parseContract, seedSchema } from '@orchard/contracts';
import type { Run } from '@orchard/pipeline';
import { z } from 'zod';
import { compositionalFamily } from './compositional-body.js';
import { compositions, Places, starts } from './compositions/index.js';
import { mostExperts } from '@orchard/mixture/every-set';

/** K, and shifts, at most. */
const MOST_EXPERTS = 1000;
const MOST_SHIFTS = 50;

/** How experts are learned. */
export const compositionalWordsSchema = z.strictObject({
  experts: z
    .int()
    .min(1)
    .max(MOST_EXPERTS)
    .optional()
    .meta({
      description: `templates (K): a whole number from 1 to ${String(MOST_EXPERTS)}; above 16, or fewer of many columns, likelihoods are lower bounds (default: 8, or as many as are exact)`,
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
  shifts: z
    .int()
    .min(0)
    .max(MOST_SHIFTS)
    .optional()
    .meta({
      description: `experimental: each template is looked for up to so many pixels up, down, left and right, in images (--shape); likelihoods are lower bounds: a whole number from 0 to ${String(MOST_SHIFTS)} (default: 0)`,
    }),
  turns: z.int().min(0).max(180).multipleOf(10).optional().meta({
    description:
      'experimental: and turned by up to so many degrees each way: a multiple of 10 from 0 to 180 (default: 0)',
  }),
  seed: seedSchema.optional(),
});

// where nothing is shifted or turned a specification says nothing of it, as it did before there was such an option
const wholeSchema = compositionalWordsSchema.required().partial({ shifts: true, turns: true });

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
    shifts = 0,
    turns = 0,
  } = words;
  const anywhere = shifts > 0 || turns > 0 ? { shifts, turns } : {};
  return { experts, composition, start, restarts, steps, seed, ...anywhere };
}

/** Where the experts of a run may lie. */
export function placesOf(
  { shifts = 0, turns = 0 }: Pick<CompositionalSpecification, 'shifts' | 'turns'>,
  { dimensions, shape }: { readonly dimensions: number; readonly shape: readonly [number, number] | null },
): Places {
  return new Places(dimensions, shape !== null && shifts + turns > 0 ? { shape, shifts, turns } : null);
}
