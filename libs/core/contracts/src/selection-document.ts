import { z } from 'zod';
import { selectionMethodSchema } from './selection-method.js';

const summedNats = z.number().meta({ description: 'summed nats over the rows of the split' });

/** What one selection chose, as it is stored with a run. */
export const selectionDocumentSchema = z.strictObject({
  method: selectionMethodSchema,
  /** Trees kept of each dimension, by stored dimension. */
  rounds: z.array(z.int().min(0)).min(1),
  trees: z.int().min(0),
  trainLogLikelihood: summedNats,
  validLogLikelihood: summedNats,
  testLogLikelihood: summedNats.nullable(),
  /** The round that all dimensions share, with `common` alone. */
  commonRounds: z.int().min(0).nullable(),
  /** What was chosen among, thinned for plotting, ascending in trees; null for `individual`. */
  path: z
    .strictObject({
      trees: z.array(z.number()),
      train: z.array(summedNats),
      valid: z.array(summedNats),
      chosen: z.int().min(0),
    })
    .nullable(),
});

export type SelectionDocument = z.infer<typeof selectionDocumentSchema>;
