import { runWordsSchema } from '@orchard/contracts';
import { z } from 'zod';
import { sharesSaidSchema, sharesSchema } from './shares-documents.js';

/** Rows of one request to score, to complete or to draw. */
export const MOST_ROWS = 1000;

/** Of a row that is completed, unless the request says how many. */
export const PARTICLES = 256;

const bitsSchema = z.array(z.union([z.literal(0), z.literal(1)])).min(1);

export const scoreRequestSchema = z.strictObject({
  rows: z
    .array(bitsSchema)
    .min(1)
    .max(MOST_ROWS)
    .meta({ description: 'rows of 0 and 1, one value a dimension, at most 1000' }),
  top: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .meta({ description: 'how many of the most surprising dimensions to name a row; 5' }),
});

export const anomalyScoreSchema = z.number().min(0).nullable().meta({
  description:
    'how far the cells are more surprising than is typical of their columns, summed, nats; null of a model that is too large to sample what is typical of it',
});

export const scoreAnswerSchema = z.strictObject({
  logLikelihood: z.number().meta({ description: 'mean nats per row' }),
  likelihoodIs: z
    .literal('lower bound')
    .optional()
    .meta({ description: 'where all likelihoods are lower bounds: of models that cannot tell more' }),
  rows: z.array(
    z.strictObject({
      logLikelihood: z.number().meta({ description: 'nats' }),
      anomalyScore: anomalyScoreSchema,
      surprising: z
        .array(
          z.strictObject({
            dimension: z.int().min(0),
            name: z.string().nullable(),
            value: z.union([z.literal(0), z.literal(1)]),
            surprise: z.number().meta({ description: '-log P(value | earlier values) in nats' }),
          }),
        )
        .meta({ description: 'the most surprising first' }),
    }),
  ),
});

export const completeRowsRequestSchema = z.strictObject({
  rows: z
    .array(z.array(z.union([z.literal(0), z.literal(1), z.null()])).min(1))
    .min(1)
    .max(MOST_ROWS)
    .meta({ description: 'rows of 0, 1 and, where a value is unknown, null, one a dimension, at most 1000' }),
  seed: runWordsSchema.shape.seed,
  samples: z
    .int()
    .min(1)
    .max(4096)
    .optional()
    .meta({ description: `particles a row, of models that cannot sample exactly; ${String(PARTICLES)}` }),
  draws: z.int().min(1).max(100).optional().meta({ description: 'completions of each row; 1' }),
  probabilities: z.boolean().optional().meta({
    description: 'what each missing value may be, instead of samples: exactly where the model can, else by 200 samples',
  }),
});

export const completeRowsAnswerSchema = z.strictObject({
  names: z.array(z.string()).nullable(),
  rows: z.array(
    z.strictObject({
      completions: z.array(bitsSchema).meta({ description: 'none where probabilities were asked for' }),
      completion: bitsSchema
        .optional()
        .meta({ description: 'the first of `completions`, for one release more', deprecated: true }),
      probabilities: z
        .record(z.string(), z.array(z.strictObject({ value: z.string(), probability: z.number().min(0).max(1) })))
        .optional()
        .meta({ description: 'of each missing value, by name, or by number from 1: the more probable value first' }),
      rates: z
        .array(z.number().min(0).max(1))
        .optional()
        .meta({ description: 'P(1 | what is known) of each dimension, of models that tell it exactly' }),
      logEvidence: z.number().meta({ description: 'log P of what is known, nats' }),
      logEvidenceError: z
        .number()
        .nullable()
        .meta({ description: 'its standard error; 0 where exact, null where one particle tells none' }),
      exact: z.boolean().meta({ description: 'whether the sample is exact' }),
      effectiveSampleSize: z.number(),
    }),
  ),
});

export const sampleRequestSchema = z.strictObject({
  count: z.int().min(1).max(MOST_ROWS).meta({ description: 'rows to sample, 1 to 1000' }),
  seed: runWordsSchema.shape.seed,
  shares: sharesSchema,
});

export const sampleAnswerSchema = z.strictObject({
  names: z.array(z.string()).nullable(),
  rows: z.array(bitsSchema),
  shares: sharesSaidSchema,
});

export type ScoreRequest = z.infer<typeof scoreRequestSchema>;
export type ScoreAnswer = z.infer<typeof scoreAnswerSchema>;
export type SampleRequest = z.infer<typeof sampleRequestSchema>;
export type CompleteRowsRequest = z.infer<typeof completeRowsRequestSchema>;
export type CompleteRowsAnswer = z.infer<typeof completeRowsAnswerSchema>;
export type SampleAnswer = z.infer<typeof sampleAnswerSchema>;
