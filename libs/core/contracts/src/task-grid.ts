import { z } from 'zod';
import { sha256Schema } from './specification.js';

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** What a task is in, by the letter that stands for it. */
export const taskLetters = { stored: 's', active: 'a', waiting: 'w', retrying: 'r', failed: 'f' } as const;

const activeSchema = z.strictObject({
  task: z.string().meta({ description: 'its name: train/17' }),
  worker: z.string().nullable().meta({ description: 'the name of the worker that has it' }),
  share: share.meta({ description: 'how far it is' }),
});

/** All tasks of a run of which there are many, and where each is: of the store and the queue. */
export const taskGridSchema = z.strictObject({
  run: sha256Schema,
  stages: z.array(
    z.strictObject({
      kind: z.string(),
      state: z.string().meta({ description: 'what the run is in while one of these is missing: training' }),
      total: count,
      keys: z
        .array(z.string())
        .meta({ description: 'kind/key is the name of a task; none before the stage is reached' }),
      states: z.string().meta({
        description: 'a letter for each key: s stored, a active, w waiting, r failed and tried again, f given up',
      }),
    }),
  ),
  active: z.array(activeSchema),
});

export type TaskGrid = z.infer<typeof taskGridSchema>;

const curve = z.array(z.number().nullable());

/** One task: what is stored of it, what it went through, and who has it. */
export const taskDetailSchema = z.strictObject({
  task: z.string(),
  words: z.string().meta({ description: 'what people call it: dimension 17 (train)' }),
  name: z.string().nullable().meta({ description: 'of the dimension or variable that it is about, where it has one' }),
  storedAt: z
    .string()
    .nullable()
    .meta({ description: 'ISO 8601, by the clock of the store; null while it is missing' }),
  bytes: count.nullable(),
  worker: z.string().nullable().meta({ description: 'who has it now' }),
  share: share.nullable().meta({ description: 'how far that one is' }),
  attempts: z
    .array(
      z.strictObject({
        kind: z.enum(['failed', 'lost']),
        code: z.string(),
        reason: z.string(),
        stack: z.string().nullable(),
        worker: z.string(),
      }),
    )
    .meta({ description: 'those that came to nothing since the run was last resumed, the first first' }),
  curves: z
    .strictObject({
      rounds: z.array(count).meta({
        description:
          'trees at each point, of each decision where one variable has several; of long curves every so manyth',
      }),
      train: curve.meta({ description: 'mean nats per row' }),
      valid: curve.nullable(),
      test: curve.nullable(),
    })
    .nullable()
    .meta({ description: 'null where the task has none, or is not stored' }),
});

export type TaskDetails = z.infer<typeof taskDetailSchema>;
export type TaskCurves = NonNullable<TaskDetails['curves']>;

/** The likelihood of held-out rows as the tasks of a run were stored, from the store alone. */
export const likelihoodSchema = z.strictObject({
  run: sha256Schema,
  points: z
    .array(z.tuple([z.number(), z.number()]))
    .meta({ description: 'seconds since the run was submitted, and mean nats per validation row of the model so far' }),
  of: z.string().nullable().meta({
    description: 'which rows it is of, and what counts for tasks that are missing; null where tasks tell none',
  }),
  read: count.meta({ description: 'tasks whose figure has been read' }),
  stored: count.meta({ description: 'tasks that are stored: where they are more, ask again and more have been read' }),
  tasks: count.meta({ description: 'how many there are in all' }),
  called: z.string().nullable().meta({ description: 'what these tasks store: `conditionals`' }),
});

export type Likelihood = z.infer<typeof likelihoodSchema>;
