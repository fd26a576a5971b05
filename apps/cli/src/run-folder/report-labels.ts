import { z } from 'zod';

const configuredSchema = z.strictObject({ file: z.string(), words: z.record(z.string(), z.string().nullable()) });

/**
 * What a report says and no run knows: how it is called, and which files its rows came from. Kept beside it for the
 * next one.
 */
export const reportLabelsSchema = z.strictObject({
  /** Null where the report is to say what the rows are. */
  title: z.string().nullable(),
  sources: z.array(z.tuple([z.string(), z.string()])),
  /** What a file of options said to the training; null for an option that stands alone. */
  configured: configuredSchema.optional(),
  /** What became of a budget of time, in sentences. */
  budget: z.array(z.string()).optional(),
  /** What one said when another of the run's models was asked for. */
  chosen: configuredSchema.optional(),
});

export type ReportLabels = z.infer<typeof reportLabelsSchema>;

export const noLabels: ReportLabels = { title: null, sources: [] };
