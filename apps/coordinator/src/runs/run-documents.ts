import { runSpecificationSchema, selectionMethodSchema, sha256Schema, selectionMethods } from '@orchard/contracts';
import { runStates, workStages, type RunOverview, type RunStatus } from '@orchard/runs';
import { z } from 'zod';

const meanNats = z.number().meta({ description: 'mean nats a row' });
const count = z.int().min(0);

export const networkChoiceSchema = z.strictObject({ selection: selectionMethodSchema, refit: z.boolean() });

export const runOverviewSchema = z.strictObject({
  id: sha256Schema,
  state: z.enum(runStates),
  submittedAt: z.string().meta({ description: 'when this life of the run began, ISO 8601' }),
  choice: networkChoiceSchema,
  reason: z.string().nullable().meta({ description: 'why the run failed; null where it did not' }),
});

const stageCountsSchema = z.strictObject({
  total: count,
  waiting: count,
  active: count,
  done: count,
  quarantined: count,
});

const selectedFiguresSchema = z.strictObject({
  trees: count,
  trainLogLikelihood: meanNats,
  validLogLikelihood: meanNats,
  testLogLikelihood: meanNats.nullable(),
  commonRounds: count.nullable(),
});

export const runStatusSchema = runOverviewSchema.extend({
  specification: runSpecificationSchema,
  choices: z.array(networkChoiceSchema),
  networks: z.array(networkChoiceSchema).meta({ description: 'the networks that can be fetched' }),
  stages: z.record(z.enum(workStages), stageCountsSchema.nullable()),
  treesPerSecond: z.number().min(0),
  secondsLeft: z.number().min(0).nullable(),
  logLikelihood: z.number().nullable().meta({ description: 'mean nats a validation row so far; null beyond training' }),
  selections: z.record(z.enum(selectionMethods), selectedFiguresSchema).nullable(),
  quarantined: z.array(
    z.strictObject({
      stage: z.enum(workStages),
      dimension: count.nullable(),
      attempts: count,
      code: z.string(),
      reason: z.string(),
      stack: z.string().nullable(),
    }),
  ),
  notices: z.array(z.string()),
});

export const runPageSchema = z.strictObject({
  runs: z.array(runOverviewSchema),
  next: sha256Schema
    .nullable()
    .meta({ description: 'the value of `after` that asks for the next page; null on the last' }),
});

export type RunDocument = z.infer<typeof runStatusSchema>;
export type RunOverviewDocument = z.infer<typeof runOverviewSchema>;

/** Rows of the splits: what turns the summed figures of a selection into means. */
export interface SplitRows {
  readonly train: number;
  readonly valid: number;
  readonly test: number | null;
}

export function overviewDocument({ id, state, submittedAt, choice, reason }: RunOverview): RunOverviewDocument {
  return { id, state, submittedAt, choice: { selection: choice.selection, refit: choice.refit }, reason };
}

/** A status as the API tells it: likelihoods are means of a row, as everywhere outside. */
export function runDocument(status: RunStatus, rows: SplitRows): RunDocument {
  const { specification, choices, networks, stages, treesPerSecond, secondsLeft, logLikelihood, notices } = status;
  return {
    ...overviewDocument(status),
    specification,
    choices: [...choices],
    networks: [...networks],
    stages: { ...stages },
    treesPerSecond,
    secondsLeft,
    logLikelihood,
    selections: status.selections === null ? null : figuresOf(status.selections, rows),
    quarantined: status.quarantined.map((work) => ({ ...work })),
    notices: [...notices],
  };
}

function figuresOf(selections: NonNullable<RunStatus['selections']>, rows: SplitRows): RunDocument['selections'] {
  const figures = selectionMethods.map((method) => {
    const { trees, trainLogLikelihood, validLogLikelihood, testLogLikelihood, commonRounds } = selections[method];
    const means = {
      trees,
      trainLogLikelihood: trainLogLikelihood / rows.train,
      validLogLikelihood: validLogLikelihood / rows.valid,
      testLogLikelihood: testLogLikelihood === null || rows.test === null ? null : testLogLikelihood / rows.test,
      commonRounds,
    };
    return [method, means] as const;
  });
  return Object.fromEntries(figures) as RunDocument['selections'];
}
