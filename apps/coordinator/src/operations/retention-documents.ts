import { sha256Schema } from '@orchard/contracts';
import { z } from 'zod';

const ruleSchema = z.number().min(0).nullable();
const expiredSchema = z.array(z.strictObject({ run: sha256Schema, why: z.string() }));

/** What a coordinator did by itself in one period. */
export const housekeepingReportSchema = z.strictObject({
  period: z.string().meta({ description: 'its beginning, to the hour of UTC' }),
  endedAt: z.iso.datetime(),
  runs: expiredSchema.meta({ description: 'the runs that it deleted' }),
  objects: z.int().min(0).meta({ description: 'leftovers and data sets that it removed' }),
  bytes: z.int().min(0).meta({ description: 'of these' }),
  failure: z.string().nullable().meta({ description: 'what ended it before it was done' }),
});

export type HousekeepingReport = z.infer<typeof housekeepingReportSchema>;

export const retentionSchema = z.strictObject({
  rules: z
    .strictObject({
      runsDays: ruleSchema.meta({ description: 'since a run ended' }),
      runsPerPerson: ruleSchema.meta({ description: 'the last of them' }),
      bytesPerPerson: ruleSchema.meta({ description: 'of the runs of a person' }),
      unusedDatasetsDays: ruleSchema.meta({ description: 'since a data set was stored that no run needs' }),
    })
    .meta({ description: 'what is kept; null where there is no rule' }),
  everyHours: z.number().min(0).meta({ description: 'how often it is applied; 0: never' }),
  next: z.iso.datetime().nullable().meta({ description: 'when it is applied next' }),
  last: housekeepingReportSchema.nullable(),
  expired: expiredSchema.meta({ description: 'runs that would be deleted if it were applied now' }),
});

export type Retention = z.infer<typeof retentionSchema>;
