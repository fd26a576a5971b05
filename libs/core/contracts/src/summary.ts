import { z } from 'zod';
import { meanNats } from './mean-nats.js';
import { refitSchema, selectionMethodSchema, type SelectionMethod } from './selection-method.js';
import { rowsOfSplitsSchema, sha256Schema } from './specification.js';
import { tunedSchema } from './tuning.js';
import { variantSummarySchema } from './variants.js';
import { runWarningSchema } from './warning.js';

/** What one selection chose and what it gave; without test rows or a refit the figure is null. */
const selectionFiguresSchema = z.strictObject({
  trees: z.int().min(0),
  trainLogLikelihood: meanNats,
  validLogLikelihood: meanNats,
  testLogLikelihood: meanNats.nullable(),
  refit: z.strictObject({ testLogLikelihood: meanNats.nullable() }).nullable(),
});

const datasetSchema = z.strictObject({ sha256: sha256Schema, dimensions: z.int().min(1), rows: rowsOfSplitsSchema });

/** What every model's summary says; a family's own says more. */
export const modelSummarySchema = z.looseObject({
  runId: sha256Schema,
  dataset: datasetSchema.loose(),
  network: z.looseObject({
    path: z.string(),
    sha256: sha256Schema,
    bytes: z.int().min(1),
    testLogLikelihood: meanNats.nullable(),
  }),
});

export type ModelSummary = z.infer<typeof modelSummarySchema>;

/** A run and one of its networks: `summary.json`, a function of the run and the choice alone. */
export const summarySchema = z.strictObject({
  runId: sha256Schema,
  dataset: datasetSchema,
  selections: z.strictObject({
    individual: selectionFiguresSchema,
    common: selectionFiguresSchema.extend({ rounds: z.int().min(0) }),
    linearized: selectionFiguresSchema,
    linearizedBackward: selectionFiguresSchema,
    pooled: selectionFiguresSchema.optional().meta({ description: 'in the summaries of networks that were chosen so' }),
  }),
  network: z.strictObject({
    path: z.string().meta({ description: 'the network file; in summary.json the name of its neighbour' }),
    sha256: sha256Schema,
    bytes: z.int().min(1),
    selection: selectionMethodSchema,
    refit: refitSchema,
    testLogLikelihood: meanNats.nullable(),
  }),
  warnings: z.array(runWarningSchema).optional().meta({
    description: 'what the run is worth being warned about; summaries of before there were warnings have none',
  }),
  variant: variantSummarySchema.optional(),
  tuned: tunedSchema.optional(),
});

/** Seconds by the wall: no part of identity. */
export interface Seconds {
  readonly total: number;
  readonly train: number;
  /** Null where no refit was asked for. */
  readonly refit: number | null;
}

export type SelectionFigures = z.infer<typeof selectionFiguresSchema>;
export type Summary = z.infer<typeof summarySchema>;

/** What summaries say of validation rows, by kind of model: in all, by selection, by member. */
const ofValidationSchema = z.looseObject({
  likelihoods: z.looseObject({ valid: meanNats.nullable() }).optional(),
  selections: z.record(z.string(), z.looseObject({ validLogLikelihood: meanNats })).optional(),
  network: z.looseObject({ selection: selectionMethodSchema.optional() }),
  members: z.array(z.looseObject({ foldLogLikelihood: meanNats })).optional(),
});

/**
 * What a model is worth on the rows that validated it, in mean nats per row. Where it was trained again on these rows
 * too, or mixed, the figure is that of before; null where the summary has none.
 */
export function validLogLikelihoodOf(summary: ModelSummary): number | null {
  const said = ofValidationSchema.safeParse(summary);
  if (!said.success) return null;
  const { likelihoods, selections, network, members } = said.data;
  if (likelihoods !== undefined) return likelihoods.valid;
  const chosen = network.selection === undefined ? undefined : selections?.[summaryKeys[network.selection]];
  if (chosen !== undefined) return chosen.validLogLikelihood;
  if (members === undefined || members.length === 0) return null;
  return members.reduce((sum, { foldLogLikelihood }) => sum + foldLogLikelihood, 0) / members.length;
}

/** The key of a selection's figures in a summary. */
export const summaryKeys = {
  individual: 'individual',
  common: 'common',
  linearized: 'linearized',
  'linearized-backward': 'linearizedBackward',
  pooled: 'pooled',
} as const satisfies Record<SelectionMethod, keyof Summary['selections']>;
