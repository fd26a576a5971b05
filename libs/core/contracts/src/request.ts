import { z } from 'zod';
import { foldsSchema, memberCountSchema, orderingKindsSchema } from './members.js';
import { informedKinds, orderingKinds } from './ordering-kind.js';
import { rowsPerTreeSchema, seedSchema, trainingOptionsSchema, type TrainingOptions } from './options.js';
import { presetNames, presets, type PresetName } from './presets.js';
import { refitSchema, selectionMethodSchema } from './selection-method.js';
import { sheetRequestShape } from './run-sheet.js';
import { permutationSchema, sha256Schema, type RunSpecification } from './specification.js';
import { AUTO, autoSchema, SEARCH } from './auto.js';
import {
  criterionSchema,
  dropoutSchema,
  exclusiveSchema,
  gradientsSchema,
  maxPredictorsSchema,
  nearPredictorsSchema,
  pseudoCountSchema,
  startPenaltySchema,
  startSchema,
} from './variants.js';

/** The words of the command line and of the HTTP API that say how to train and what to make of it; all are optional. */
export const runWordsSchema = z.strictObject({
  preset: z
    .enum(presetNames)
    .optional()
    .meta({ description: `a preset: ${presetNames.slice(0, -1).join(', ')} or ${presetNames.at(-1)!}` }),
  ...trainingOptionsSchema.partial().shape,
  start: startSchema.optional(),
  startPenalty: startPenaltySchema.optional(),
  gradients: gradientsSchema.optional(),
  dropout: dropoutSchema.optional(),
  exclusive: exclusiveSchema.optional(),
  maxPredictors: maxPredictorsSchema.optional(),
  nearPredictors: nearPredictorsSchema.optional(),
  rowsPerTree: rowsPerTreeSchema.optional(),
  leaves: z
    .union([trainingOptionsSchema.shape.leaves, autoSchema, z.literal(SEARCH)])
    .optional()
    .meta({
      description: `${trainingOptionsSchema.shape.leaves.description!}, 'auto' (chosen in quick trials) or 'search' (the paper's: 2, 4, … 128 in full, in larger steps where rounds do not suffice)`,
    }),
  featureFraction: z
    .union([trainingOptionsSchema.shape.featureFraction, autoSchema])
    .optional()
    .meta({
      description: `${trainingOptionsSchema.shape.featureFraction.description!}, or 'auto': chosen by validation rows`,
    }),
  ordering: z
    .union([z.enum(orderingKinds), autoSchema, permutationSchema])
    .optional()
    .meta({
      description: `'natural', 'reversed', 'random' (drawn from the seed), ${informedKinds.map((kind) => `'${kind}'`).join(', ')} (found in the training rows), 'auto' (chosen by validation rows), or a permutation of the dimensions 0 to D - 1`,
    }),
  seed: seedSchema.optional(),
  select: selectionMethodSchema.optional(),
  refit: refitSchema.optional(),
  members: memberCountSchema.optional(),
  orderings: orderingKindsSchema.optional(),
  folds: foldsSchema.optional(),
  committee: z.boolean().optional().meta({ description: 'whether each member is a committee: true or false' }),
});

/** The words of networks: those, and one that kinds of models have in their own ways. */
export const networkWordsSchema = z.strictObject({
  ...runWordsSchema.shape,
  pseudoCount: pseudoCountSchema.optional(),
  criterion: criterionSchema.optional(),
});

export type RunWords = z.infer<typeof networkWordsSchema>;

/** Words of a family that screens nothing. */
export type PlainWords = Partial<TrainingOptions> & Pick<RunWords, 'preset'>;

/** What every submission names, whatever its family; the family's words come beside it. */
export const splitsRequestShape = {
  train: sha256Schema,
  valid: sha256Schema,
  test: sha256Schema.nullish().meta({ description: 'the sha256 of the test rows, or null' }),
} as const;

/** The body of a submission of a network: the splits by id, and the words. */
export const runRequestSchema = z.strictObject({
  ...splitsRequestShape,
  ...sheetRequestShape,
  ...networkWordsSchema.shape,
});

export type RunRequest = z.infer<typeof runRequestSchema>;

/** What a preset says of a whole run, beside the options of a conditional. */
export const presetWords: Readonly<Record<PresetName, Partial<RunWords>>> = {
  paper: {},
  default: { leaves: AUTO, featureFraction: AUTO },
  accurate: { leaves: AUTO, featureFraction: AUTO, members: 8, select: 'pooled', exclusive: 'found' },
  'single-tree': { pseudoCount: AUTO, criterion: 'likelihood', select: 'individual', refit: false },
};

/**
 * The words with those of their preset where they say nothing. Who says the leaves of a tree has the preset's share of
 * predictors with them, and screens nothing unless that is asked for; who says a logistic start has no start by
 * exclusive columns.
 */
export function withPreset(words: RunWords): RunWords {
  const said: RunWords = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
  const { featureFraction, exclusive, ...preset } = presetWords[words.preset ?? 'default'];
  const isSearched = featureFraction !== undefined && (said.leaves ?? preset.leaves) === AUTO;
  // a logistic start says already what training goes on from
  const isTold = exclusive !== undefined && said.start !== 'logistic';
  return { ...preset, ...(isSearched && { featureFraction }), ...(isTold && { exclusive }), ...said };
}

/**
 * The options of a conditional, of which some may be left to screening, and which may start as those of networks alone
 * do.
 */
export type AskedOptions = Omit<TrainingOptions, 'leaves' | 'featureFraction' | 'start'> &
  Pick<RunSpecification, 'leaves' | 'featureFraction' | 'start'>;

/** The preset's options with those that the words name in their place. */
export function resolveOptions(words: PlainWords): TrainingOptions;
export function resolveOptions(words: RunWords): AskedOptions;
export function resolveOptions(words: RunWords): AskedOptions {
  const preset = presets[words.preset ?? 'default'];
  const named = Object.keys(preset) as (keyof TrainingOptions)[];
  return Object.fromEntries(
    named.map((name) => [name, words[name] === undefined ? preset[name] : words[name]]),
  ) as AskedOptions;
}
