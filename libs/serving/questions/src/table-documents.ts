import { runWordsSchema } from '@orchard/contracts';
import { PARTICLES_OF_TABLES } from '@orchard/model';
import { z } from 'zod';
import { anomalyScoreSchema, MOST_ROWS } from './row-documents.js';
import { cellSchema, givenSchema, sharesSaidSchema, sharesSchema } from './shares-documents.js';

const tableRowSchema = z.union([z.record(z.string(), cellSchema), z.array(cellSchema)]);
const rowsSchema = z.array(tableRowSchema).min(1).max(MOST_ROWS).meta({
  description:
    'rows of a table, at most 1000: objects by column, or lists in the order of `names`, or of the variables',
});
const namesSchema = z.array(z.string()).min(1).optional().meta({ description: 'the columns of rows that are lists' });

/** What columns are: as the model has them, those of labels alone. */
export const kindsSchema = z
  .record(z.string(), z.enum(['binary', 'categorical', 'ordered']))
  .optional()
  .meta({
    description: 'columns whose labels may all be new, by name, `{"shop": "categorical"}`: others are refused',
  });

/** What every question about rows of a table says. */
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

export const tableScoreRequestSchema = z.strictObject({
  ...shapeOfRows,
  top: z.int().min(0).max(100).optional().meta({ description: 'how many columns to name a row; 5' }),
  givenColumns: givenColumnsSchema,
});

export const endSchema = z
  .union([z.number(), z.string(), z.null()])
  .meta({ description: 'a number, or a date or time as the rows write it; null of labels' });
const misfitsSchema = z.int().min(0);
const misfitsAre = 'cells that are not a value of their column, such as a word among numbers';

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

export const tableScoreAnswerSchema = z.strictObject({
  logLikelihood: z.number().meta({ description: 'mean nats per row' }),
  unseen: z.int().min(0).meta({ description: 'values that training never saw, or too rarely to tell apart' }),
  misfits: misfitsSchema.meta({ description: `${misfitsAre}, counted as missing` }),
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
            column: z.string(),
            value: cellSchema,
            probability: shareSchema.meta({ description: 'of the value, or of the bin that it lies in' }),
            expected: z.string().meta({ description: 'the likeliest label, or where the middle 80 % of values lie' }),
            expectedLow: endSchema,
            expectedHigh: endSchema,
            expectedLabel: z.string().nullable().meta({ description: 'null of numbers and dates' }),
            surprise: z.number().meta({ description: '-log probability, beyond its mean over all values, in nats' }),
          }),
        )
        .meta({ description: 'the most surprising first; neither unknown values nor what is expected are among them' }),
    }),
  ),
});

export const tableSampleRequestSchema = z.strictObject({
  count: z.int().min(1).max(MOST_ROWS).meta({ description: 'rows to sample, 1 to 1000' }),
  seed: runWordsSchema.shape.seed,
  given: z.record(z.string(), givenSchema).optional().meta({
    description: 'what holds of all rows, by column: a value, one of several values, a range, null for an absent value',
  }),
  shares: sharesSchema,
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

export const tableSampleAnswerSchema = z.strictObject({
  names: z.array(z.string()),
  rows: z.array(z.record(z.string(), cellSchema)),
  share: shareSchema.optional().meta({ description: 'of all rows that are as given' }),
  rules: rulesSchema,
  shares: sharesSaidSchema,
  effectiveSampleSize: z.number().optional().meta({ description: 'the least of a row’s particles; 1 where exact' }),
});

export const completeRequestSchema = z.strictObject({
  ...shapeOfRows,
  draws: z.int().min(1).max(100).optional().meta({ description: 'completions of each row; 1' }),
  samples: z
    .int()
    .min(1)
    .max(4096)
    .optional()
    .meta({ description: `particles a row; ${String(PARTICLES_OF_TABLES)}` }),
  probabilities: z
    .boolean()
    .optional()
    .meta({ description: 'what each missing value may be, by 200 samples, instead of samples' }),
});

export const completeAnswerSchema = z.strictObject({
  misfits: misfitsSchema.meta({ description: `${misfitsAre}: they stay as they are` }),
  rules: rulesSchema,
  rows: z.array(
    z.strictObject({
      completions: z.array(z.record(z.string(), cellSchema)),
      probabilities: z
        .record(z.string(), z.array(z.strictObject({ value: z.string(), probability: shareSchema })))
        .optional(),
      exact: z.boolean().meta({ description: 'whether the draws are exact' }),
      effectiveSampleSize: z.number(),
    }),
  ),
});

export type TableRowsRequest = z.infer<typeof tableScoreRequestSchema>;
export type Cell = z.infer<typeof cellSchema>;
export type TableRow = z.infer<typeof tableRowSchema>;
export type TableScoreAnswer = z.infer<typeof tableScoreAnswerSchema>;
export type TableSampleAnswer = z.infer<typeof tableSampleAnswerSchema>;
export type CompleteAnswer = z.infer<typeof completeAnswerSchema>;
