import { datasetFactsSchema, sha256Schema, type DatasetFacts } from '@orchard/contracts';
import { FORMATS, type OptionName, type ReadOptions } from '@orchard/dataset';
import { z } from 'zod';
import { textParameters, textWords } from './describe-documents.js';

/** A data set in a list: of a table the number of its variables, whose description can be megabytes. */
export const datasetOverviewSchema = datasetFactsSchema.omit({ table: true, tailNats: true }).extend({
  variables: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'of a table; GET /v1/datasets/{id} describes them. Absent where rows are bits' }),
});

/** Facts as lists have them. */
export function overviewOf({ table, tailNats, ...facts }: DatasetFacts): z.infer<typeof datasetOverviewSchema> {
  void tailNats;
  return table === undefined ? facts : { ...facts, variables: table.variables.length };
}

export const datasetPageSchema = z.strictObject({
  datasets: z.array(datasetOverviewSchema),
  unreadable: z.array(sha256Schema).meta({
    description: 'data sets of this page whose stored facts are damaged: remove them and upload the data again',
  }),
  next: sha256Schema
    .nullable()
    .meta({ description: 'the value of `after` that asks for the next page; null on the last' }),
});

export const datasetPathSchema = z.strictObject({ id: sha256Schema });

export const datasetListQuerySchema = z.strictObject({
  after: sha256Schema
    .optional()
    .meta({ description: 'the id of a data set, `next` of the page before: only those after it' }),
  limit: z.int().min(1).max(1000).default(100).meta({ description: 'data sets a page, 1 to 1000' }),
});

const listOf = (what: string) =>
  z
    .string()
    .regex(/^[^,\s][^\r\n]{0,65535}$/)
    .optional()
    .meta({ description: what });

/** How an upload becomes bits: the words of the command line. */
export const uploadQuerySchema = z.strictObject({
  format: z
    .enum(FORMATS)
    .optional()
    .meta({ description: `${FORMATS.join(', ')}: goes before what Content-Type and content say` }),
  header: z
    .enum(['auto', 'yes', 'no'])
    .optional()
    .meta({ description: 'auto, yes or no: whether line 1 of a CSV or TSV holds names' }),
  columns: listOf('the columns to keep, in this order: names, numbers from 1, or ranges as 2-785, joined by commas'),
  threshold: z.number().optional().meta({ description: 'a number: values above it are 1, the others 0' }),
  binarize: z
    .enum(['bernoulli'])
    .optional()
    .meta({ description: 'bernoulli: take a value as the probability of a 1 and draw; needs seed' }),
  seed: z.int().min(0).optional().meta({ description: 'for binarize: a whole number from 0 to 2^53 - 1' }),
  scale: z
    .number()
    .gt(0)
    .optional()
    .meta({ description: 'for binarize: a number above 0, the value that means probability 1' }),
  'one-hot': listOf('categorical columns, each replaced by columns named column=category, joined by commas'),
  'categories-of': sha256Schema
    .optional()
    .meta({ description: 'for one-hot: the id of the data set of the training rows, whose categories these rows get' }),
  shape: z
    .string()
    .regex(/^[1-9]\d{0,5}x[1-9]\d{0,5}$/)
    .optional()
    .meta({ description: 'height x width of the image that a row is, as 28x28' }),
  dimensions: datasetFactsSchema.shape.dimensions
    .optional()
    .meta({ description: 'of a libsvm body: a whole number from 1 on' }),
  ...textParameters,
  'zero-based': z
    .boolean()
    .optional()
    .meta({ description: 'true or false: whether the indexes of a libsvm body count from 0; false' }),
});

export type UploadQuery = z.infer<typeof uploadQuerySchema>;

/** How problems call an option of the reader; null where an upload has none. */
const optionWords: Readonly<Record<OptionName, string | null>> = {
  format: '?format=',
  header: '?header=yes or ?header=no',
  columns: '?columns=',
  threshold: '?threshold=',
  binarize: '?binarize=bernoulli',
  seed: '?seed=',
  scale: '?scale=',
  oneHot: '?one-hot=',
  categoriesOf: '?categories-of=',
  shape: '?shape=',
  dimensions: '?dimensions=',
  zeroBased: '?zero-based=true',
  maxCells: 'ORCHARD_MAX_CELLS of the coordinator',
  ...textWords,
  maxLineBytes: null,
  missing: null,
};

/** The reader's options, as far as the query says them. */
export function readOptionsOf(
  query: UploadQuery,
): Pick<ReadOptions, Exclude<keyof ReadOptions, 'maxCells' | 'categoriesOf'>> {
  const { format, header, columns, threshold, binarize, seed, scale, shape, dimensions } = query;
  const { encoding, skip, comment, quote, escape } = query;
  const [height, width] = (shape ?? '').split('x').map(Number);
  return {
    format,
    header: header === undefined || header === 'auto' ? 'auto' : header === 'yes',
    columns: columns?.split(',').map((column) => (/^\d+$/.test(column) ? Number(column) : column)),
    threshold,
    binarize,
    seed,
    scale,
    oneHot: query['one-hot']?.split(','),
    shape: height === undefined || width === undefined ? undefined : [height, width],
    dimensions,
    zeroBased: query['zero-based'],
    encoding,
    skip,
    comment,
    quote,
    escape,
    wordFor: (option) => optionWords[option],
  };
}
