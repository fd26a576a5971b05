import { z } from 'zod';

export const runStages = ['train', 'select', 'refit', 'assemble', 'done'] as const;

export type RunStage = (typeof runStages)[number];

/** Where a run is, told as often as somebody wants to know: the newest event replaces all before it. */
export const runProgressSchema = z.strictObject({
  runId: z.string(),
  stage: z.enum(runStages),
  /** Of the stage: conditionals to train, or to refit. */
  dimensions: z.strictObject({ done: z.int().min(0), total: z.int().min(0) }),
  /** Trees grown (or refitted) since this process began with the stage. */
  trees: z.int().min(0),
  treesPerSecond: z.number().min(0),
  /** By the cost of what is done and what is left; null while nothing is known. */
  secondsLeft: z.number().min(0).nullable(),
  /**
   * Mean nats a validation row of the network that the best rounds so far would make; a dimension that has none yet
   * counts as -ln 2. Null beyond the training stage.
   */
  logLikelihood: z.number().nullable(),
});

export type RunProgress = z.infer<typeof runProgressSchema>;
