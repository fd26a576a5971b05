import {
  readRowsSchema,
  readingProgressSchema,
  readingRefusalSchema,
  runStartSchema,
  sha256Schema,
} from '@orchard/contracts';
import { z } from 'zod';

/** What this client reads of the coordinator's answers; whatever else they hold is passed on as it came. */
const choiceSchema = z.looseObject({});

const runOverviewSchema = z.looseObject({
  id: sha256Schema,
  state: z.string(),
  submittedAt: z.string(),
  choice: choiceSchema,
  reason: z.string().nullable(),
  /** These are absent from coordinators of before. */
  name: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  priority: z.string().optional(),
  submittedBy: z.string().optional(),
  pinned: z.boolean().optional(),
  cost: z
    .looseObject({ threadSeconds: z.number(), isWhole: z.boolean(), storedBytes: z.number().nullable() })
    .optional(),
  deletion: z.looseObject({ at: z.string(), why: z.string() }).optional(),
  notify: z.string().optional(),
});

const countsSchema = z.looseObject({
  total: z.number(),
  waiting: z.number(),
  active: z.number(),
  done: z.number(),
  quarantined: z.number(),
});

const troubledSchema = z.looseObject({
  /** Absent from coordinators of before. */
  task: z.string().optional(),
  stage: z.string(),
  dimension: z.number().nullable(),
  attempts: z.number(),
  code: z.string(),
  reason: z.string(),
  stack: z.string().nullable(),
});

export const runStatusSchema = runOverviewSchema.extend({
  specification: z.looseObject({ train: sha256Schema, valid: sha256Schema, test: sha256Schema.nullable() }),
  networks: z.array(choiceSchema),
  stages: z.record(z.string(), countsSchema.nullable()),
  treesPerSecond: z.number(),
  secondsLeft: z.number().nullable(),
  /** Absent from coordinators of before. */
  secondsLeftRange: z.looseObject({ least: z.number(), most: z.number() }).nullable().default(null),
  logLikelihood: z.number().nullable(),
  quarantined: z.array(troubledSchema),
  /** Absent from coordinators of before. */
  retrying: z.array(troubledSchema).optional(),
  notices: z.array(z.string()),
  /** In the answer to a submission alone; absent from coordinators of before. */
  starts: z.looseObject(runStartSchema.shape).optional(),
  /** Of `orchard submit`, which times decisions of some of the rows where there are many. */
  expectedThreadTime: z.looseObject({ secondsLeast: z.number(), secondsMost: z.number() }).optional(),
  /** Absent from coordinators of before. */
  waits: z.array(z.looseObject({ code: z.string(), message: z.string(), since: z.string() })).optional(),
});

/** A coordinator of before says nothing of data sets, nor of what is lost. */
export const repairSchema = z.looseObject({
  dropped: z.array(z.string()),
  lost: z.number().default(0),
  datasets: z.array(z.string()).default([]),
});

export const runPageSchema = z.looseObject({ runs: z.array(runOverviewSchema), next: sha256Schema.nullable() });

export const datasetSchema = z.looseObject({ id: sha256Schema, rows: z.number(), dimensions: z.number() });

export const readingSchema = z.looseObject({
  id: z.string(),
  source: z.string(),
  state: z.enum(['waiting', 'reading', 'done', 'failed']),
  progress: z.looseObject(readingProgressSchema.shape).nullable(),
  waits: z.string().nullable(),
  answer: z.looseObject(readRowsSchema.shape).nullable(),
  refusal: z.looseObject(readingRefusalSchema.shape).nullable(),
});

export type ReadingDocument = z.infer<typeof readingSchema>;

export const garbageSchema = z.looseObject({
  leftovers: z.array(z.looseObject({ run: sha256Schema, why: z.string(), objects: z.number(), bytes: z.number() })),
  uploads: z.array(z.looseObject({ dataset: sha256Schema, bytes: z.number() })),
  datasets: z.array(datasetSchema.extend({ bytes: z.number() })),
});

const auditRecordSchema = z.looseObject({
  id: z.string(),
  at: z.string(),
  who: z.looseObject({ name: z.string(), role: z.string().nullable() }),
  method: z.string(),
  /** Null of what is not a route of the API. */
  route: z.string().nullable(),
  path: z.string(),
  what: z.record(z.string(), z.unknown()),
  outcome: z.looseObject({ status: z.number().nullable(), code: z.string().nullable() }),
});

export const auditPageSchema = z.looseObject({
  day: z.string(),
  records: z.array(auditRecordSchema),
  unreadable: z.array(z.string()),
  next: z.string().nullable(),
});

export const problemSchema = z.looseObject({
  detail: z.string(),
  code: z.string(),
  status: z.number(),
  got: z.string().optional(),
  expected: z.string().optional(),
  where: z.string().optional(),
  remedy: z.string().optional(),
});

const figureSchema = z.number().nullable();

export const callerSchema = z.looseObject({
  name: z.string(),
  role: z.string(),
  way: z.string(),
  until: z.string().nullable(),
  /** These are absent from coordinators of before. */
  uses: z.looseObject({ openRuns: figureSchema, threads: z.number(), storedBytes: figureSchema }).optional(),
  limits: z.looseObject({ openRuns: figureSchema, threads: figureSchema, storedBytes: figureSchema }).optional(),
});

export const notificationsSchema = z.looseObject({
  to: z.string().nullable(),
  deliveries: z.array(
    z.looseObject({
      end: z.number(),
      state: z.string(),
      next: z.string().nullable(),
      attempts: z.array(
        z.looseObject({ at: z.string(), status: z.number().nullable(), reason: z.string().nullable() }),
      ),
    }),
  ),
});

export type Notifications = z.infer<typeof notificationsSchema>;

const expiredSchema = z.array(z.looseObject({ run: sha256Schema, why: z.string() }));

export const retentionSchema = z.looseObject({
  rules: z.looseObject({
    runsDays: figureSchema,
    runsPerPerson: figureSchema,
    bytesPerPerson: figureSchema,
    unusedDatasetsDays: figureSchema,
  }),
  everyHours: z.number(),
  next: z.string().nullable(),
  last: z
    .looseObject({
      endedAt: z.string(),
      runs: expiredSchema,
      objects: z.number(),
      bytes: z.number(),
      failure: z.string().nullable(),
    })
    .nullable(),
  expired: expiredSchema,
});

export type Retention = z.infer<typeof retentionSchema>;
export type CallerDocument = z.infer<typeof callerSchema>;
export type RunOverview = z.infer<typeof runOverviewSchema>;
export type RunStatus = z.infer<typeof runStatusSchema>;
export type Dataset = z.infer<typeof datasetSchema>;
export type AuditRecord = z.infer<typeof auditRecordSchema>;
export type AuditPage = z.infer<typeof auditPageSchema>;
export type Garbage = z.infer<typeof garbageSchema>;

const ends = ['done', 'failed', 'cancelled'];

/** Whether nothing happens to a run any more until it is requested. */
export function hasEnded({ state }: RunOverview): boolean {
  return ends.includes(state);
}
