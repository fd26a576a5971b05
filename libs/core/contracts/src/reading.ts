import { z } from 'zod';
import { rowKindSchema } from './row-kind.js';
import { seedSchema } from './options.js';
import { rowsOfSplitsSchema, sha256Schema } from './specification.js';

/** Rows that workers fetch: an object, a folder or a glob of keys. */
export const sourceSchema = z
  .string()
  .max(2000)
  .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/\P{C}*$/u)
  .meta({ description: 's3://bucket/key, s3://bucket/folder/ or a glob of keys, as s3://bucket/sales/*.parquet' });

const share = z.number().gt(0).lt(1);
const words = z.array(z.string().max(4096)).max(65_536);
const column = z.union([z.string().max(4096), z.int().min(1)]);

/** How texts are written. */
const textShape = {
  encoding: z.string().max(40).optional(),
  skip: z.int().min(0).optional(),
  comment: z.string().max(64).optional(),
  quote: z.enum(['"', "'", 'none']).optional(),
  escape: z.string().max(1).optional(),
  header: z.union([z.literal('auto'), z.boolean()]).optional(),
  zeroBased: z.boolean().optional(),
  missing: words.optional(),
  maxLineBytes: z.int().min(1).optional(),
} as const;

const bitsSchema = z.strictObject({
  ...textShape,
  format: z.enum(['csv', 'tsv', 'data', 'libsvm', 'npy', 'idx']).optional(),
  columns: z.array(column).optional(),
  threshold: z.number().optional(),
  binarize: z.literal('bernoulli').optional(),
  seed: seedSchema.optional(),
  scale: z.number().optional(),
  oneHot: z.array(column).optional(),
  shape: z.tuple([z.int().min(1), z.int().min(1)]).optional(),
  dimensions: z.int().min(1).optional(),
  maxCells: z.int().min(1).optional(),
});

const tableSchema = z.strictObject({
  ...textShape,
  format: z.enum(['csv', 'parquet', 'arrow', 'npy', 'npz', 'jsonl', 'libsvm']).optional(),
  delimiter: z.string().max(1).optional(),
  decimal: z.enum(['.', ',']).optional(),
  names: words.optional(),
  strict: z.boolean().optional(),
});

const columnsSchema = z.strictObject({
  types: z.record(z.string(), z.enum(['binary', 'categorical', 'ordered', 'excluded'])).optional(),
  dates: z.enum(['dmy', 'mdy']).optional(),
  bins: z.int().min(2).max(4096).optional(),
  cutPoints: z.int().min(1).max(4095).optional(),
  maxCategories: z.int().min(1).max(4096).optional(),
  weights: z.string().max(4096).optional(),
});

/** What is to be read, and how its rows are shared out: what `orchard submit` would do where it runs. */
export const readingRequestSchema = z.strictObject({
  source: sourceSchema,
  valid: sourceSchema.optional(),
  test: sourceSchema.optional(),
  fractions: z
    .strictObject({
      valid: share.optional(),
      test: share.optional(),
      rows: z.int().min(1).optional().meta({ description: 'how many rows are taken, drawn by the seed' }),
    })
    .optional()
    .meta({ description: 'shares of the rows that validate and test; a tenth validates unless there is `valid`' }),
  seed: seedSchema.default(0).meta({ description: 'what draws them' }),
  result: z
    .enum([...rowKindSchema.options, 'either'])
    .default('either')
    .meta({ description: 'what the rows may become: rows of 0 and 1 alone, a table, or what they are' }),
  bits: bitsSchema.nullable().default({}).meta({ description: 'how rows of 0 and 1 are read; null: as a table' }),
  table: tableSchema.nullable().default({}).meta({ description: 'how a table is read; null: as rows of 0 and 1' }),
  columns: columnsSchema.default({}).meta({ description: 'what the columns of a table are' }),
});

export type ReadingRequest = z.infer<typeof readingRequestSchema>;

/** What was read: data sets, as uploads are, and what was found out. */
export const readRowsSchema = z.strictObject({
  kind: rowKindSchema,
  train: sha256Schema,
  valid: sha256Schema,
  test: sha256Schema.nullable(),
  rows: rowsOfSplitsSchema,
  notes: z.array(z.string()).meta({ description: 'what was found out and decided in reading' }),
  leftOut: z.array(z.strictObject({ name: z.string(), why: z.string() })),
});

export type ReadRows = z.infer<typeof readRowsSchema>;

export const readingRefusalSchema = z.strictObject({
  code: z.string(),
  got: z.string(),
  expected: z.string(),
  where: z.string().optional(),
  remedy: z.string(),
});

/** How far a reading has come. */
export const readingProgressSchema = z.strictObject({
  phase: z.enum(['copying', 'reading', 'storing']),
  bytes: z.int().min(0).meta({ description: 'that were copied to the worker' }),
  size: z.int().min(0).nullable().meta({ description: 'of all that is to be copied' }),
  rows: z.int().min(0).meta({ description: 'that were looked at; a table is passed over several times' }),
});

export type ReadingProgress = z.infer<typeof readingProgressSchema>;

export const readingIdSchema = z.string().regex(/^[0-9a-f]{32}$/);

export const readingSchema = z.strictObject({
  id: readingIdSchema,
  source: z.string(),
  state: z.enum(['waiting', 'reading', 'done', 'failed']),
  progress: readingProgressSchema.nullable(),
  waits: z.string().nullable().meta({ description: 'why nothing happens, for people; null where something does' }),
  answer: readRowsSchema.nullable(),
  refusal: readingRefusalSchema
    .nullable()
    .meta({ description: 'why it failed: what was got, expected, where, remedy' }),
});

export type Reading = z.infer<typeof readingSchema>;
