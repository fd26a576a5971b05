import { z } from 'zod';
import { foldsSchema, memberCountSchema, orderingKindsSchema } from './members.js';
import { seedSchema, trainingOptionsSchema, type TrainingOptions } from './options.js';
import { presetNames, presets } from './presets.js';
import { selectionMethodSchema } from './selection-method.js';
import { permutationSchema, sha256Schema } from './specification.js';

/** The words of the command line and of the HTTP API that say how to train and what to make of it; all are optional. */
export const runWordsSchema = z.strictObject({
  preset: z
    .enum(presetNames)
    .optional()
    .meta({ description: `a preset: ${presetNames.join(' or ')}` }),
  ...trainingOptionsSchema.partial().shape,
  ordering: z
    .union([z.enum(['natural', 'random']), permutationSchema])
    .optional()
    .meta({ description: "'natural', 'random' (drawn from the seed), or a permutation of the dimensions 0 to D - 1" }),
  seed: seedSchema.optional(),
  select: selectionMethodSchema.optional(),
  refit: z.boolean().optional().meta({ description: 'true or false' }),
  members: memberCountSchema.optional(),
  orderings: orderingKindsSchema.optional(),
  folds: foldsSchema.optional(),
  committee: z.boolean().optional().meta({ description: 'whether each member is a committee: true or false' }),
});

export type RunWords = z.infer<typeof runWordsSchema>;

/** What every submission names, whatever its family; the family's words come beside it. */
export const splitsRequestShape = {
  train: sha256Schema,
  valid: sha256Schema,
  test: sha256Schema.nullish().meta({ description: 'the sha256 of the test rows, or null' }),
} as const;

/** The body of a submission of a network: the splits by id, and the words. */
export const runRequestSchema = z.strictObject({ ...splitsRequestShape, ...runWordsSchema.shape });

export type RunRequest = z.infer<typeof runRequestSchema>;

/** The preset's options with those that the words name in their place. */
export function resolveOptions(words: RunWords): TrainingOptions {
  const preset = presets[words.preset ?? 'default'];
  const named = Object.keys(preset) as (keyof TrainingOptions)[];
  return Object.fromEntries(
    named.map((name) => [name, words[name] === undefined ? preset[name] : words[name]]),
  ) as TrainingOptions;
}
