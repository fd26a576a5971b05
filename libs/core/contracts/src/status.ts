import { z } from 'zod';
import { runStartSchema } from './run-start.js';
import { shownSheetShape } from './run-sheet.js';
import { baseSpecificationSchema, sha256Schema } from './specification.js';
import { timeLeftShape } from './time-left.js';

/** Where nothing happens any more until it is requested. */
export const endStates = ['done', 'failed', 'cancelled'] as const;

const count = z.int().min(0);

/** What is asked of a run without being part of it, in the words of its family: `{ selection, refit }`. */
export const wantedSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

export type Wanted = z.infer<typeof wantedSchema>;

/** What is always known of a run, from a few small objects. */
export const runOverviewSchema = z.strictObject({
  id: sha256Schema,
  family: z.string().meta({ description: 'the kind of model' }),
  state: z.string().meta({
    description:
      "the family's word for the first stage of which something is missing, or done, failed, cancelled, deleting",
  }),
  submittedAt: z.string().meta({ description: 'when this life of the run began, ISO 8601' }),
  choice: wantedSchema.meta({ description: 'what was asked for, as last submitted' }),
  reason: z.string().nullable().meta({ description: 'why the run failed; null where it did not' }),
  train: sha256Schema
    .optional()
    .meta({ description: 'the data set of its training rows; absent where its record is damaged' }),
  cost: z
    .strictObject({
      threadSeconds: z
        .number()
        .min(0)
        .meta({ description: 'of workers and selectors, by jobs that were completed or failed' }),
      isWhole: z.boolean().meta({ description: 'false: at least so much; a part was computed unseen' }),
      storedBytes: z.int().min(0).nullable().meta({ description: 'by the run alone; null where it was not read yet' }),
    })
    .optional()
    .meta({ description: 'in statuses, and in lists that are asked for it; absent where it is not known' }),
  deletion: z
    .strictObject({
      at: z.iso.datetime().meta({ description: 'when the schedule comes to it' }),
      why: z.string(),
    })
    .optional()
    .meta({ description: 'in statuses: a schedule deletes the run; absent where none does, as far as is known' }),
  ...shownSheetShape,
});

export type RunOverview = z.infer<typeof runOverviewSchema>;

/** Tasks of one kind; their sum is `total`. `waiting` has not begun, whether it is in the queue or not. */
export const stageCountsSchema = z.strictObject({
  total: count,
  waiting: count,
  active: count,
  done: count,
  quarantined: count,
});

export type StageCounts = z.infer<typeof stageCountsSchema>;

/** A task that failed, and how often; given up after its attempts, or tried again. */
const troubledTaskSchema = z.strictObject({
  task: z.string().meta({ description: 'its name, as orchard replay takes it: train/17' }),
  stage: z.string(),
  dimension: count.nullable().meta({ description: "the stored dimension; null where the task is the whole run's" }),
  attempts: count,
  code: z.string(),
  reason: z.string(),
  stack: z.string().nullable(),
});

export type TroubledTask = z.infer<typeof troubledTaskSchema>;

/** What stands in the way of a run without being an end. */
const noticeSchema = z.strictObject({
  code: z.string().meta({ description: 'stable, for programs to branch on' }),
  message: z.string(),
  since: z.string().meta({ description: 'ISO 8601' }),
});

export type Notice = z.infer<typeof noticeSchema>;

/** The status of a run. Beside these fields stand the results of its family. */
export const runStatusSchema = z.looseObject({
  ...runOverviewSchema.shape,
  specification: baseSpecificationSchema,
  choices: z.array(wantedSchema),
  networks: z.array(wantedSchema).meta({ description: 'the models that can be fetched' }),
  stages: z.record(z.string(), stageCountsSchema.nullable()).meta({
    description: 'by kind of task; null where the run has no such stage',
  }),
  treesPerSecond: z.number().min(0).meta({ description: 'by all workers, over the last half minute' }),
  ...timeLeftShape,
  logLikelihood: z.number().nullable().meta({
    description: 'mean nats per validation row: of the best so far, or of the model; null where there is none',
  }),
  quarantined: z.array(troubledTaskSchema).meta({ description: 'given up; resume tries them again' }),
  retrying: z.array(troubledTaskSchema).meta({ description: 'failed, and tried again' }),
  notices: z.array(z.string()).meta({ description: 'what stands in the way, in sentences' }),
  waits: z.array(noticeSchema).meta({ description: 'the same with code and since when' }),
  starts: runStartSchema.optional().meta({ description: 'what it waits for: in the answer to its submission alone' }),
});

export type RunStatus = z.infer<typeof runStatusSchema>;

export const runPageSchema = z.strictObject({
  runs: z.array(runOverviewSchema),
  next: sha256Schema
    .nullable()
    .meta({ description: 'the value of `after` that asks for the next page; null on the last' }),
});
