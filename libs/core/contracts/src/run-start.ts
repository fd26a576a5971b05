import { z } from 'zod';

const count = z.int().min(0);

/** What a run that was just submitted waits for, as far as the coordinator that took it knows. */
export const runStartSchema = z.strictObject({
  threads: count.meta({
    description: 'of all workers that take its tasks: of a small run beside large ones, those for short tasks alone',
  }),
  freeThreads: count.meta({ description: 'of these, those with nothing to do' }),
  jobsBefore: count.meta({ description: 'jobs in the queue that no worker has yet; those of this run follow them' }),
  runsBefore: count.meta({ description: 'runs that these are of' }),
  secondsUntil: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: 'about; null where no worker is there, or none of such jobs has ended yet' }),
});

export type RunStart = z.infer<typeof runStartSchema>;
