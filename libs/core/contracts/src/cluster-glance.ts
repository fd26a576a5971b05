import { z } from 'zod';
import { sha256Schema } from './specification.js';
import { runOverviewSchema, stageCountsSchema } from './status.js';
import { pools } from './task.js';
import { timeLeftShape } from './time-left.js';

const count = z.int().min(0);

/** An open run in the view of all runs: from memory, without a request to the store. */
const runGlanceSchema = z.strictObject({
  ...runOverviewSchema.shape,
  stages: z.record(z.string(), stageCountsSchema.nullable()),
  ...timeLeftShape,
  logLikelihood: z.number().nullable(),
});

export type RunGlance = z.infer<typeof runGlanceSchema>;

export const workerGlanceSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  pool: z.enum(pools),
  threads: count,
  memoryBytes: z.number().min(0).meta({ description: 'that training data may take in all' }),
  notice: z.string().nullable().meta({ description: 'what people should know of it' }),
  silentSeconds: count.meta({ description: 'since it last spoke; it speaks every five seconds' }),
  isThere: z.boolean().meta({ description: 'false: it fell silent, and what it has will be given to others' }),
  holds: z.array(z.strictObject({ run: sha256Schema, task: z.string(), share: z.number().min(0).max(1) })),
  refused: z
    .array(z.strictObject({ run: sha256Schema, bytes: z.number().min(0) }))
    .meta({ description: 'runs whose data do not fit into its memory, and what they need' }),
});

export type WorkerGlance = z.infer<typeof workerGlanceSchema>;

/** What a cluster does at this moment. */
export const clusterGlanceSchema = z.strictObject({
  runs: z.array(runGlanceSchema).meta({ description: 'those that are open' }),
  workers: z.array(workerGlanceSchema),
});

export type ClusterGlance = z.infer<typeof clusterGlanceSchema>;
