import { z } from 'zod';

/** Values of one request that a column may have. */
const MOST_VALUES = 1000;

export const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const givenSchema = z.union([
  cellSchema,
  z.array(cellSchema).min(1).max(MOST_VALUES),
  z.strictObject({
    from: z.union([z.string(), z.number()]).optional(),
    to: z.union([z.string(), z.number()]).optional(),
  }),
]);

/** Which share of sampled rows is to have which values. */
export const sharesSchema = z
  .record(z.string(), z.array(z.strictObject({ value: givenSchema, share: z.number().min(0).max(1) })).min(1))
  .optional()
  .meta({
    description:
      'which share of the rows has which values, by column; they are 1 together, and what is not named is not sampled: {"sex": [{"value": "female", "share": 0.6}, {"value": "male", "share": 0.4}]}. Not beside given',
  });

/** What such rows are worth. */
export const sharesSaidSchema = z
  .strictObject({
    pool: z
      .int()
      .nullable()
      .meta({ description: 'sampled rows that were weighed; null where each part is sampled exactly' }),
    effectiveRows: z.number().meta({ description: 'independent rows that these are worth; below count, rows repeat' }),
  })
  .optional()
  .meta({ description: 'where shares were asked for' });
