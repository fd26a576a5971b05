import { MAXIMUM_ROUNDS } from '@orchard/contracts';
import { z } from 'zod';
import { CoordinatorError } from './errors.js';
import type { Access, Token } from './http/tokens.js';

/** Shorter secrets can be guessed. */
const SHORTEST_SECRET = 24;

const whole = (standard: number, least = 1): z.ZodType<number> => z.coerce.number().int().min(least).default(standard);
const text = z.string().trim().min(1);

/** Everything that the coordinator reads from its environment. */
const environmentSchema = z.object({
  ORCHARD_HOST: text.default('127.0.0.1'),
  ORCHARD_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** `name:read:secret` or `name:full:secret`, joined by commas or white space. */
  ORCHARD_TOKENS: z.string().default(''),
  ORCHARD_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ORCHARD_MAX_UPLOAD_BYTES: whole(4 * 2 ** 30),
  ORCHARD_MAX_CELLS: whole(2 ** 32),
  ORCHARD_MAX_JSON_BYTES: whole(8 * 2 ** 20),
  ORCHARD_MAX_ROUNDS: whole(MAXIMUM_ROUNDS),
  ORCHARD_MAX_UPLOADS: whole(4),
  ORCHARD_MAX_REQUESTS_PER_SECOND: whole(50),
  ORCHARD_NETWORK_CACHE_BYTES: whole(256 * 2 ** 20),
  ORCHARD_SHUTDOWN_SECONDS: whole(20),
});

export interface Limits {
  /** Bytes of one upload as they are sent. */
  readonly uploadBytes: number;
  /** Rows x dimensions of one data set. */
  readonly cells: number;
  readonly jsonBytes: number;
  readonly rounds: number;
  readonly concurrentUploads: number;
  /** Of each token; twice as many at once. */
  readonly requestsPerSecond: number;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly tokens: readonly Token[];
  readonly logLevel: string;
  readonly limits: Limits;
  /** Bytes of network files held for scoring and sampling. */
  readonly networkCacheBytes: number;
  /** What requests under way are given to end in. */
  readonly shutdownSeconds: number;
}

/**
 * Parses the environment, once.
 *
 * @throws CoordinatorError `invalid-configuration`, also where it would listen beyond loopback without a token
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = environmentSchema.safeParse(given);
  if (!result.success) {
    const [issue] = result.error.issues;
    const name = String(issue!.path[0]);
    throw refusal(`${name} as it is`, issue!.message, name, `Correct ${name}, or leave it out.`);
  }
  const settings = result.data;
  const tokens = parseTokens(settings.ORCHARD_TOKENS);
  if (tokens.length === 0 && !isLoopback(settings.ORCHARD_HOST)) {
    throw refusal(
      `the address ${settings.ORCHARD_HOST} and no token`,
      'a token wherever other machines can ask',
      'ORCHARD_TOKENS',
      'Set ORCHARD_TOKENS to name:full:secret, or listen on 127.0.0.1.',
    );
  }
  return {
    host: settings.ORCHARD_HOST,
    port: settings.ORCHARD_PORT,
    tokens,
    logLevel: settings.ORCHARD_LOG_LEVEL,
    limits: {
      uploadBytes: settings.ORCHARD_MAX_UPLOAD_BYTES,
      cells: settings.ORCHARD_MAX_CELLS,
      jsonBytes: settings.ORCHARD_MAX_JSON_BYTES,
      rounds: settings.ORCHARD_MAX_ROUNDS,
      concurrentUploads: settings.ORCHARD_MAX_UPLOADS,
      requestsPerSecond: settings.ORCHARD_MAX_REQUESTS_PER_SECOND,
    },
    networkCacheBytes: settings.ORCHARD_NETWORK_CACHE_BYTES,
    shutdownSeconds: settings.ORCHARD_SHUTDOWN_SECONDS,
  };
}

function parseTokens(list: string): Token[] {
  const tokens = list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(parseToken);
  const names = new Set(tokens.map(({ name }) => name));
  if (names.size === tokens.length) return tokens;
  throw refusal(
    'two tokens of one name',
    'a name for each',
    'ORCHARD_TOKENS',
    'Rename one: logs tell callers apart by it.',
  );
}

function parseToken(entry: string, index: number): Token {
  // the entry itself is not shown: it may be a secret that was put in the wrong form
  const where = `ORCHARD_TOKENS, entry ${index + 1}`;
  const [, name, access, secret] = /^([A-Za-z0-9_.-]{1,64}):(read|full):(.+)$/.exec(entry) ?? [];
  if (name === undefined || access === undefined || secret === undefined) {
    throw refusal('another form', 'name:read:secret or name:full:secret', where, 'Correct the entry.');
  }
  if (secret.length < SHORTEST_SECRET) {
    const remedy = 'Make one with: openssl rand -hex 24';
    throw refusal(`a secret of ${secret.length} characters`, `at least ${SHORTEST_SECRET}`, where, remedy);
  }
  return { name, access: access as Access, secret };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function refusal(got: string, expected: string, where: string, remedy: string): CoordinatorError {
  return new CoordinatorError('invalid-configuration', { got, expected, where, remedy });
}
