import { runWordsSchema } from '@orchard/contracts';
import { z } from 'zod';
import { cellSchema, givenSchema, sharesSaidSchema, sharesSchema } from './shares-documents.js';

/** Rows of one request to score, to complete or to sample. */
export const MOST_ROWS = 1000;

const rowSchema = z.union([z.record(z.string(), cellSchema), z.array(cellSchema)]);
const rowsSchema = z.array(rowSchema).min(1).max(MOST_ROWS).meta({
  description: '1 to 1000 rows: objects by column, or lists in the order of `names`, or of the model',
});
const namesSchema = z.array(z.string()).min(1).optional().meta({ description: 'the columns of rows that are lists' });
const namesSaidSchema = z
  .array(z.string())
  .nullable()
  .meta({ description: 'the columns in order; null of rows of 0 and 1 without names, which are numbered from 1' });

/** How rows of an answer are written. */
const formSchema = z.enum(['objects', 'lists']).optional().meta({
  description:
    'rows of the answer: objects by column, or lists in the order of `names`; objects, but for one release more lists of rows of 0 and 1',
});

/** What columns are: as the model has them, those of labels alone. */
export const kindsSchema = z
  .record(z.string(), z.enum(['binary', 'categorical', 'ordered']))
  .optional()
  .meta({
    description: 'columns whose labels may all be new, by name, `{"shop": "categorical"}`: others are refused',
  });

/** What every question about rows says. */
export const shapeOfRows = {
  rows: rowsSchema,
  names: namesSchema,
  types: kindsSchema,
  seed: runWordsSchema.shape.seed,
};

export const givenColumnsSchema = z.array(z.string()).min(1).optional().meta({
  description:
    'columns that say which group a row is of: scores and reasons are of the others given these; of a model trained with --ordering first:NAMES',
});

export const scoreRequestSchema = z.strictObject({
  ...shapeOfRows,
  top: z.int().min(0).max(100).optional().meta({ description: 'how many columns to name a row; 5' }),
  givenColumns: givenColumnsSchema,
});

export const endSchema = z
  .union([z.number(), z.string(), z.null()])
  .meta({ description: 'a number, or a date or time as the rows write it; null of labels' });
const misfitsSchema = z.int().min(0);
const misfitsAre = 'cells that are not a value of their column, such as a word among numbers';

const remarksSchema = z.array(z.string()).meta({
  description:
    'how cells were read that are written otherwise than in training, and which are not a value of their column',
});

const shareSchema = z.number().min(0).max(1);

export const driftSchema = z
  .array(
    z.strictObject({
      column: z.string(),
      distance: shareSchema.meta({ description: 'between the shares of values here and in training; 1: disjoint' }),
      byChance: shareSchema.meta({ description: 'the greatest that chance made of as many rows' }),
    }),
  )
  .meta({ description: 'columns whose values are others than in training, the furthest first' });

const anomalyScoreSchema = z.number().min(0).nullable().meta({
  description:
    'how far the cells are more surprising than is typical of their columns, summed, nats; null of a model that is too large to sample what is typical of it',
});

export const scoreAnswerSchema = z.strictObject({
  logLikelihood: z.number().meta({ description: 'mean nats per row' }),
  likelihoodIs: z
    .literal('lower bound')
    .optional()
    .meta({ description: 'where all likelihoods are lower bounds: of models that cannot tell more' }),
  unseen: z.int().min(0).meta({ description: 'values that training never saw, or too rarely to tell apart' }),
  misfits: misfitsSchema.meta({ description: `${misfitsAre}, counted as missing` }),
  remarks: remarksSchema,
  rows: z.array(
    z.strictObject({
      logLikelihood: z.number().meta({ description: 'nats; what is unknown is integrated out' }),
      mass: z.number().meta({ description: 'the part of probabilities' }),
      density: z.number().meta({ description: 'the part of densities, which depends on the columns’ units' }),
      standardError: z.number().meta({ description: 'of what is integrated out; 0 where nothing is' }),
      anomalyScore: anomalyScoreSchema,
      surprising: z
        .array(
          z.strictObject({
            column: z.string().meta({ description: 'its name; of columns without names its number, from 1' }),
            value: cellSchema,
            probability: shareSchema.meta({ description: 'of the value, or of the bin that it lies in' }),
            expected: z.string().meta({ description: 'the likeliest label, or where the middle 80 % of values lie' }),
            expectedLow: endSchema,
            expectedHigh: endSchema,
            expectedLabel: z.string().nullable().meta({ description: 'null of numbers and dates' }),
            surprise: z.number().meta({ description: '-log probability, beyond its mean over all values, in nats' }),
            dimension: z.int().min(0).optional().meta({
              description: 'of rows of 0 and 1 the number of the column, from 0, for one release more',
              deprecated: true,
            }),
            name: z
              .string()
              .nullable()
              .optional()
              .meta({ description: 'beside it, `column` where columns have names', deprecated: true }),
          }),
        )
        .meta({ description: 'the most surprising first; neither unknown values nor what is expected are among them' }),
    }),
  ),
});

export const sampleRequestSchema = z.strictObject({
  count: z.int().min(1).max(MOST_ROWS).meta({ description: 'rows to sample, 1 to 1000' }),
  seed: runWordsSchema.shape.seed,
  given: z.record(z.string(), givenSchema).optional().meta({
    description:
      'what holds of all rows, by column: a value, one of several values, a range, null for an absent value: {"bike": ["city", "e-bike"], "age": {"from": 60, "to": 68}}',
  }),
  shares: sharesSchema,
  form: formSchema,
});

const rulesSchema = z
  .strictObject({
    followed: z.boolean().meta({
      description: 'false beside what is given, and of probabilities; a row that breaks one by what is known breaks it',
    }),
    rules: z.array(z.string()),
  })
  .optional()
  .meta({ description: 'where the model was trained with rules that hold of every row' });

export const sampleAnswerSchema = z.strictObject({
  names: namesSaidSchema,
  rows: z.array(rowSchema),
  share: shareSchema.optional().meta({ description: 'of all rows that are as given' }),
  rules: rulesSchema,
  shares: sharesSaidSchema,
  effectiveSampleSize: z.number().optional().meta({ description: 'the least of a row’s particles; 1 where exact' }),
});

export const completeRequestSchema = z.strictObject({
  ...shapeOfRows,
  draws: z.int().min(1).max(100).optional().meta({ description: 'completions of each row; 1' }),
  samples: z.int().min(1).max(4096).optional().meta({ description: 'particles a row; 1024, of 0/1 data 256' }),
  probabilities: z.boolean().optional().meta({
    description: 'what each missing value may be, instead of samples',
  }),
  form: formSchema,
});

export const completeAnswerSchema = z.strictObject({
  names: namesSaidSchema,
  misfits: misfitsSchema.meta({ description: `${misfitsAre}: they stay as they are` }),
  remarks: remarksSchema,
  rules: rulesSchema,
  rows: z.array(
    z.strictObject({
      completions: z.array(rowSchema).meta({ description: 'none where probabilities were asked for' }),
      completion: rowSchema.optional().meta({
        description: 'of rows of 0 and 1 the first of `completions`, for one release more',
        deprecated: true,
      }),
      probabilities: z
        .record(z.string(), z.array(z.strictObject({ value: z.string(), probability: shareSchema })))
        .optional()
        .meta({ description: 'of each missing value, by column, the more probable value first' }),
      rates: z.array(shareSchema).optional().meta({
        description:
          'of rows of 0 and 1 P(1 | what is known) of each column, where the model states it, for one release more; `probabilities` has them',
        deprecated: true,
      }),
      logEvidence: z.number().meta({ description: 'log P of what is known, nats' }),
      logEvidenceError: z
        .number()
        .nullable()
        .meta({ description: 'its standard error; 0 where exact, null where one particle tells none' }),
      exact: z.boolean().meta({ description: 'whether the samples are exact' }),
      effectiveSampleSize: z.number(),
    }),
  ),
});

export type Cell = z.infer<typeof cellSchema>;
export type Row = z.infer<typeof rowSchema>;
export type ScoreRequest = z.infer<typeof scoreRequestSchema>;
export type ScoreAnswer = z.infer<typeof scoreAnswerSchema>;
export type SampleRequest = z.infer<typeof sampleRequestSchema>;
export type SampleAnswer = z.infer<typeof sampleAnswerSchema>;
export type CompleteAnswer = z.infer<typeof completeAnswerSchema>;
