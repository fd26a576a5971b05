import type { Pool } from '@orchard/contracts';
import { jobVariables, parseEnvironment, whole, type Environment } from '../environment.js';
import { telemetryVariables } from '@orchard/telemetry';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { coresOf } from './cores.js';

const schema = z.object({
  ...jobVariables,
  ...telemetryVariables,
  /** Survives restarts, and is of one worker alone: deaths and lost tasks count by it. */
  ORCHARD_WORKER_NAME: z
    .string()
    .max(200)
    .regex(/^[\w.-]+$/)
    .default(hostname())
    .meta({ description: 'at most 200 letters, digits, points, hyphens and underscores' }),
  /** Tasks computed at once; unless said, a worker has one for each core, a selector one. */
  ORCHARD_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1024)
    .optional()
    .meta({ description: 'a whole number from 1 to 1024' }),
  /** What the training data of all runs in work may take together. */
  ORCHARD_MEMORY_BYTES: whole(Math.floor(0.75 * process.availableMemory())),
  ORCHARD_CACHE_DIR: z.string().min(1).default(join(tmpdir(), 'orchard-datasets')),
  ORCHARD_CACHE_BYTES: whole(10 * 2 ** 30, 0),
  /** Places in buckets that it reads by reference, separated by white space; none unless set. */
  ORCHARD_SOURCES: z.string().default(''),
  ORCHARD_CHECKPOINT_SECONDS: z.coerce.number().positive().default(30).meta({ description: 'a number of seconds' }),
});

export type TaskProgramConfig = z.infer<typeof schema> & { readonly ORCHARD_THREADS: number };

/** @throws Refusal `invalid-configuration` */
export function readConfig(pool: Pool, environment: Environment = process.env): TaskProgramConfig {
  const config = parseEnvironment(schema, environment);
  const standard = pool === 'worker' ? coresOf() : 1;
  return { ...config, ORCHARD_THREADS: config.ORCHARD_THREADS ?? standard };
}
