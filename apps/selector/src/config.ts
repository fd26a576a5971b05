import { jobVariables, parseEnvironment, type Environment } from '@orchard/process';
import { z } from 'zod';

const schema = z.object(jobVariables);

export type SelectorConfig = z.infer<typeof schema>;

/** @throws ConfigurationError */
export function readConfig(environment: Environment = process.env): SelectorConfig {
  return parseEnvironment(schema, environment);
}
