import { rowsOfSplitsSchema, seedSchema, sha256Schema } from '@orchard/contracts';
import { z } from 'zod';
import { columnName, describeQuerySchema, descriptionSchema } from './describe-documents.js';

const share = z.number().min(0).lt(1);

/** How a file is read, as for `describe`, and how its rows are shared out. */
export const splitQuerySchema = describeQuerySchema.extend({
  'valid-fraction': share
    .gt(0)
    .default(0.1)
    .meta({ description: 'share of the rows that validate, above 0 and below 1; 0.1' }),
  'test-fraction': share.default(0).meta({ description: 'share of the rows that test, from 0 and below 1; 0' }),
  weights: columnName.optional().meta({
    description: 'the column of a table that says how much each row counts, numbers above 0; it is not learned',
  }),
  seed: seedSchema.default(0).meta({ description: 'what draws them, a whole number; 0' }),
});

export type SplitQuery = z.infer<typeof splitQuerySchema>;

/** What a submission of these rows says: the words of `POST /v1/runs`. */
export const splitsSchema = z.strictObject({
  model: z.string().meta({ description: 'the kind of model that is theirs: lbarn where every column is 0 and 1' }),
  train: sha256Schema,
  valid: sha256Schema,
  test: sha256Schema.nullable(),
  rows: rowsOfSplitsSchema,
  members: z.literal(1).optional().meta({
    description: 'of weighed rows: members would share the repeats of a row out among them, so a run has one model',
  }),
  notes: z.array(z.string()).meta({ description: 'what was found out and decided in reading' }),
  leftOut: descriptionSchema.shape.leftOut,
});

export type SplitsAnswer = z.infer<typeof splitsSchema>;
