import { z } from 'zod';
import { Refusal } from '@orchard/refusal';
import { refuseExampleSecrets } from './example-secrets.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is a whole number. */
export const whole = (standard: number, least = 1): z.ZodType<number> =>
  z.coerce
    .number()
    .int()
    .min(least)
    .default(standard)
    .meta({ description: `a whole number from ${least} on` });

/** The settings that all programs of the cluster share; a program's own schema adds its own. */
export const clusterVariables = {
  ORCHARD_REDIS_URL: z
    .string()
    .default('redis://127.0.0.1:6379')
    .meta({ description: 'redis://[user:password@]host[:port], or rediss:// for TLS' }),
  /** Of all keys in Redis. */
  ORCHARD_REDIS_PREFIX: z.string().min(1).default('{orchard}').meta({ description: 'a prefix in braces' }),
  ORCHARD_STORE: z.string().min(1).meta({ description: 's3://bucket, s3://bucket/folder, or the path of a folder' }),
  /** Of a server that is not AWS. */
  ORCHARD_S3_ENDPOINT: z.url().optional().meta({ description: 'an http or https URL' }),
  /** The same server as clients reach it, for the URLs that they are redirected to. */
  ORCHARD_S3_PUBLIC_ENDPOINT: z.url().optional().meta({ description: 'an http or https URL' }),
  ORCHARD_S3_REGION: z.string().optional(),
  ORCHARD_S3_PATH_STYLE: z.stringbool().optional().meta({ description: 'true or false' }),
  ORCHARD_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .meta({ description: 'fatal, error, warn, info, debug, trace or silent' }),
} as const;

export type ClusterSettings = z.infer<z.ZodObject<typeof clusterVariables>>;

/** Of programs that take jobs. */
export const jobVariables = {
  ...clusterVariables,
  /** Where `/health` and `/metrics` are answered; port 0 takes any that is free. */
  ORCHARD_HEALTH_HOST: z.string().default('127.0.0.1'),
  /** What a client on another machine shows to get `/metrics`; without it only this machine may ask. */
  ORCHARD_METRICS_TOKEN: z.string().min(24).optional().meta({ description: 'a secret of at least 24 characters' }),
  ORCHARD_HEALTH_PORT: whole(9464, 0).meta({ description: 'a port number, or 0 for any' }),
  /** Until a job whose holder vanished is given to another. */
  ORCHARD_LOCK_SECONDS: z.coerce.number().min(1).default(15).meta({ description: 'a number of seconds from 1 on' }),
  /** From SIGTERM to the end of the process. */
  ORCHARD_GRACE_SECONDS: z.coerce.number().min(1).default(20).meta({ description: 'a number of seconds from 1 on' }),
} as const;

/**
 * Parses an environment, once. An empty variable counts as none, and the example's secrets are refused.
 *
 * @throws Refusal `invalid-configuration` naming the variable; its value is not shown, since it may be a secret
 */
export function parseEnvironment<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): z.infer<z.ZodObject<Shape>> {
  refuseExampleSecrets(environment);
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const name = String(issue.path[0]);
  const described = (schema.shape as unknown as Record<string, z.ZodType | undefined>)[name]?.meta()?.description;
  throw new Refusal('invalid-configuration', {
    got: given[name] === undefined ? 'nothing' : 'another value',
    expected: described ?? issue.message,
    where: name,
    remedy: `Set ${name}.`,
  });
}
