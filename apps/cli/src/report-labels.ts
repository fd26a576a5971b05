import { z } from 'zod';

/** What a report says and no run knows: how it is called, and which files its rows came from. Kept beside it for the next one. */
export const reportLabelsSchema = z.strictObject({
  /** Null where the report is to say what the rows are. */
  title: z.string().nullable(),
  sources: z.array(z.tuple([z.string(), z.string()])),
});

export type ReportLabels = z.infer<typeof reportLabelsSchema>;

export const noLabels: ReportLabels = { title: null, sources: [] };
