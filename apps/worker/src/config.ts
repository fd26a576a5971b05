import { jobVariables, parseEnvironment, type Environment } from '@orchard/process';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const schema = z.object({
  ...jobVariables,
  /** Conditionals trained at once. */
  ORCHARD_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1024)
    .default(availableParallelism())
    .meta({ description: 'a whole number from 1 to 1024' }),
  /** What the training data of all runs in work may take together. */
  ORCHARD_MEMORY_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(Math.floor(0.75 * process.availableMemory()))
    .meta({ description: 'a whole number of bytes' }),
  ORCHARD_CACHE_DIR: z.string().min(1).default(join(tmpdir(), 'orchard-datasets')),
  ORCHARD_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(10 * 2 ** 30)
    .meta({ description: 'a whole number of bytes' }),
  ORCHARD_CHECKPOINT_SECONDS: z.coerce.number().positive().default(30).meta({ description: 'a number of seconds' }),
});

export type WorkerConfig = z.infer<typeof schema>;

/** @throws ConfigurationError */
export function readConfig(environment: Environment = process.env): WorkerConfig {
  return parseEnvironment(schema, environment);
}
