import { z } from 'zod';
import { selectionMethodSchema } from './selection-method.js';
import { sha256Schema } from './specification.js';

const dimensionSchema = z.int().min(0).meta({ description: 'a stored dimension, counted from 0' });

/** Train one conditional, from its newest checkpoint where there is one. */
export const trainJobSchema = z.strictObject({
  stage: z.literal('train'),
  runId: sha256Schema,
  dimension: dimensionSchema,
  /** The round of the newest checkpoint that was stored when the job was made; 0 where none was. */
  checkpoint: z.int().min(0),
});

/** Read all curves, choose the rounds by every method. */
export const selectJobSchema = z.strictObject({ stage: z.literal('select'), runId: sha256Schema });

/** Refit the first `rounds` trees of one conditional; `plan` is the content id of the rounds of all dimensions. */
export const refitJobSchema = z.strictObject({
  stage: z.literal('refit'),
  runId: sha256Schema,
  dimension: dimensionSchema,
  plan: sha256Schema,
  rounds: z.int().min(0),
});

/** Write one network with its summary. */
export const assembleJobSchema = z.strictObject({
  stage: z.literal('assemble'),
  runId: sha256Schema,
  selection: selectionMethodSchema,
  refit: z.boolean(),
});

/** What a queue carries: ids and numbers only. */
export const jobSchema = z.discriminatedUnion('stage', [
  trainJobSchema,
  selectJobSchema,
  refitJobSchema,
  assembleJobSchema,
]);

export type TrainJob = z.infer<typeof trainJobSchema>;
export type SelectJob = z.infer<typeof selectJobSchema>;
export type RefitJob = z.infer<typeof refitJobSchema>;
export type AssembleJob = z.infer<typeof assembleJobSchema>;
export type Job = z.infer<typeof jobSchema>;
