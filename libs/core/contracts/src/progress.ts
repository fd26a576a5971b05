import { z } from 'zod';
import { timeLeftShape } from './time-left.js';

/** Where a run is, as often as it is asked for: the newest event replaces all before it. */
export const runProgressSchema = z.strictObject({
  runId: z.string(),
  /** The kind of the tasks at hand, or `done`. */
  stage: z.string(),
  /** The same as people say it: `training`. */
  state: z.string(),
  /** Tasks of the stage, and what people call them: `dimensions`; a total of 0 where counting says nothing. */
  tasks: z.strictObject({ done: z.int().min(0), total: z.int().min(0), called: z.string() }),
  /** Trees grown (or refitted) since this process began with the stage. */
  trees: z.int().min(0),
  treesPerSecond: z.number().min(0),
  ...timeLeftShape,
  /**
   * Mean nats per validation row of the model that the best so far would make; a dimension that has none yet counts as
   * -ln 2. Null where the stage has none.
   */
  logLikelihood: z.number().nullable(),
});

export type RunProgress = z.infer<typeof runProgressSchema>;
