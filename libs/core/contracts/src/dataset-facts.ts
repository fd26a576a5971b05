import { z } from 'zod';
import { MAXIMUM_DIMENSIONS } from './limits.js';
import { sha256Schema } from './specification.js';
import type { Table } from './variable.js';

/** What is known of a data set without its bits; stored beside them. */
export const datasetFactsSchema = z.strictObject({
  id: sha256Schema,
  rows: z.int().min(0),
  dimensions: z.int().min(1).max(MAXIMUM_DIMENSIONS),
  names: z.array(z.string()).nullable().meta({ description: 'one name a dimension, or null' }),
  shape: z
    .tuple([z.int().min(1), z.int().min(1)])
    .nullable()
    .meta({ description: 'height and width of the image that a row is, or null' }),
  table: z
    .custom<Table>((value) => typeof value === 'object' && value !== null)
    .optional()
    .meta({ description: 'the variables of a table; absent where rows are bits', type: 'object' }),
  tailNats: z
    .array(z.number())
    .optional()
    .meta({ description: 'of each variable, the summed log-density of the values in its outermost cells' }),
  densityNats: z.number().optional().meta({
    description: 'summed over the rows of a table, what densities add to the log-probabilities of their codes',
  }),
});

export type DatasetFacts = z.infer<typeof datasetFactsSchema>;
