import { MAXIMUM_ROUNDS } from '@orchard/contracts';
import { clusterVariables, parseEnvironment, whole, type ClusterSettings, type Environment } from '@orchard/program';
import { parseSources, type AllowedSource, type RetentionRules } from '@orchard/runs';
import { telemetryVariables, type TelemetrySettings } from '@orchard/telemetry';
import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { oidcSettingsOf, oidcVariables, type OidcSettings } from './access/oidc-settings.js';
import { CoordinatorError } from './errors.js';
import type { BodyPace } from './http/pace.js';
import type { Access, Token } from './http/tokens.js';
import type { StreamLimits } from './runs/stream-slots.js';
import { webhookSettingsOf, webhookVariables, type WebhookSettings } from './webhooks/webhook-settings.js';

/** Shorter secrets can be guessed. */
const SHORTEST_SECRET = 24;

/** Of what has none unless it is set. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

const text = z.string().trim().min(1);

/** Everything that the coordinator reads from its environment. */
const environmentSchema = z.object({
  ...clusterVariables,
  ...telemetryVariables,
  ORCHARD_HOST: text.default('127.0.0.1'),
  ORCHARD_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** `name:read:secret` or `name:full:secret`, joined by commas or white space. */
  ORCHARD_TOKENS: z.string().default(''),
  ...oidcVariables,
  ...webhookVariables,
  ORCHARD_MAX_UPLOAD_BYTES: whole(4 * 2 ** 30),
  ORCHARD_MAX_CELLS: whole(2 ** 32),
  ORCHARD_MAX_JSON_BYTES: whole(8 * 2 ** 20),
  ORCHARD_MAX_ROUNDS: whole(MAXIMUM_ROUNDS),
  ORCHARD_MAX_THREADS_PER_PERSON: whole(NO_LIMIT),
  ORCHARD_MAX_OPEN_RUNS_PER_PERSON: whole(NO_LIMIT),
  ORCHARD_MAX_STORED_BYTES_PER_PERSON: whole(NO_LIMIT),
  ORCHARD_HOUSEKEEPING_HOURS: whole(24, 0),
  ORCHARD_KEEP_RUNS_DAYS: whole(NO_LIMIT),
  ORCHARD_KEEP_RUNS_PER_PERSON: whole(NO_LIMIT),
  ORCHARD_KEEP_BYTES_PER_PERSON: whole(NO_LIMIT),
  ORCHARD_KEEP_UNUSED_DATASETS_DAYS: whole(NO_LIMIT),
  ORCHARD_MAX_UPLOADS: whole(4),
  ORCHARD_MAX_REQUESTS_PER_SECOND: whole(50),
  ORCHARD_MAX_MEMORY_BYTES: whole(Math.floor(process.availableMemory() / 2)),
  ORCHARD_MAX_SILENCE_SECONDS: whole(10),
  ORCHARD_MIN_BYTES_PER_SECOND: whole(4096),
  ORCHARD_MAX_STREAMS: whole(500),
  ORCHARD_MAX_STREAMS_PER_TOKEN: whole(100),
  ORCHARD_NETWORK_CACHE_BYTES: whole(256 * 2 ** 20),
  ORCHARD_REQUEST_THREADS: whole(Math.min(4, availableParallelism())),
  ORCHARD_GRACE_SECONDS: whole(20),
  /** Places in buckets that workers read by reference, and for whom; none unless set. */
  ORCHARD_SOURCES: z.string().default(''),
});

/** Of one person; `NO_LIMIT` where there is none. */
export interface LimitsOfPerson {
  /** Of workers, at once. */
  readonly threads: number;
  readonly openRuns: number;
  /** By their runs, with the data sets that these need. */
  readonly storedBytes: number;
}

/** What coordinators remove by themselves. */
export interface HousekeepingSettings {
  /** Between two times; 0 where they never do. */
  readonly everySeconds: number;
  readonly rules: RetentionRules;
  /** How long ago a data set that no run needs was stored; null where such data sets stay. */
  readonly unusedDatasetSeconds: number | null;
}

export interface Limits {
  /** Bytes of one upload as they are sent. */
  readonly uploadBytes: number;
  /** Rows x dimensions of one data set. */
  readonly cells: number;
  readonly jsonBytes: number;
  readonly rounds: number;
  readonly ofPerson: LimitsOfPerson;
  readonly concurrentUploads: number;
  /** Of each token; twice as many at once. */
  readonly requestsPerSecond: number;
  /** Bytes of memory that uploads, downloads and networks on their way take together. */
  readonly memoryBytes: number;
  /** Of Node's heap, that JSON bodies take together. */
  readonly jsonMemoryBytes: number;
  readonly pace: BodyPace;
  /** Event streams at once. */
  readonly streams: StreamLimits;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly tokens: readonly Token[];
  /** The issuer whose tokens are taken beside these; null without one. */
  readonly oidc: OidcSettings | null;
  /** Redis, the store and the log, as every program of the cluster has them. */
  readonly cluster: ClusterSettings;
  /** Traces by OpenTelemetry: off unless an endpoint is given. */
  readonly telemetry: TelemetrySettings;
  readonly limits: Limits;
  readonly housekeeping: HousekeepingSettings;
  /** Null where no webhooks are sent. */
  readonly webhooks: WebhookSettings | null;
  /** Bytes of the largest network file that may be asked, and of those that are held open at most. */
  readonly networkCacheBytes: number;
  /** Threads that compute what requests ask for. */
  readonly requestThreads: number;
  /** What workers may read by reference, and for whom. */
  readonly sources: readonly AllowedSource[];
  /** What requests under way are given to end in. */
  readonly graceSeconds: number;
}

/**
 * Parses the environment, once.
 *
 * @throws Refusal `invalid-configuration`, also for tokens that are none, and for none beyond loopback
 */
export function readConfig(environment: Environment): Config {
  const settings = parseEnvironment(environmentSchema, environment);
  const tokens = parseTokens(settings.ORCHARD_TOKENS);
  const oidc = oidcSettingsOf(settings);
  if (tokens.length === 0 && oidc === null && !isLoopback(settings.ORCHARD_HOST)) {
    throw refusal(
      `the address ${settings.ORCHARD_HOST} and no token`,
      'a token wherever other machines can ask',
      'ORCHARD_TOKENS',
      'Set ORCHARD_TOKENS to name:full:secret or ORCHARD_OIDC_ISSUER, or listen on 127.0.0.1.',
    );
  }
  return {
    host: settings.ORCHARD_HOST,
    port: settings.ORCHARD_PORT,
    tokens,
    oidc,
    cluster: settings,
    telemetry: settings,
    limits: {
      uploadBytes: settings.ORCHARD_MAX_UPLOAD_BYTES,
      cells: settings.ORCHARD_MAX_CELLS,
      jsonBytes: settings.ORCHARD_MAX_JSON_BYTES,
      rounds: settings.ORCHARD_MAX_ROUNDS,
      ofPerson: {
        threads: settings.ORCHARD_MAX_THREADS_PER_PERSON,
        openRuns: settings.ORCHARD_MAX_OPEN_RUNS_PER_PERSON,
        storedBytes: settings.ORCHARD_MAX_STORED_BYTES_PER_PERSON,
      },
      concurrentUploads: settings.ORCHARD_MAX_UPLOADS,
      requestsPerSecond: settings.ORCHARD_MAX_REQUESTS_PER_SECOND,
      memoryBytes: settings.ORCHARD_MAX_MEMORY_BYTES,
      // the rest of the heap is for the coordinator itself and for what is being thrown away
      jsonMemoryBytes: Math.floor(getHeapStatistics().heap_size_limit / 4),
      pace: {
        silenceSeconds: settings.ORCHARD_MAX_SILENCE_SECONDS,
        bytesPerSecond: settings.ORCHARD_MIN_BYTES_PER_SECOND,
      },
      streams: { perCaller: settings.ORCHARD_MAX_STREAMS_PER_TOKEN, total: settings.ORCHARD_MAX_STREAMS },
    },
    housekeeping: housekeepingOf(settings),
    webhooks: webhookSettingsOf(settings),
    networkCacheBytes: settings.ORCHARD_NETWORK_CACHE_BYTES,
    requestThreads: settings.ORCHARD_REQUEST_THREADS,
    sources: parseSources(settings.ORCHARD_SOURCES),
    graceSeconds: settings.ORCHARD_GRACE_SECONDS,
  };
}

const DAY = 86_400;

function housekeepingOf(settings: z.infer<typeof environmentSchema>): HousekeepingSettings {
  const given = (value: number): number | null => (value === NO_LIMIT ? null : value);
  const seconds = (days: number): number | null => (days === NO_LIMIT ? null : days * DAY);
  const rules = {
    keepSeconds: seconds(settings.ORCHARD_KEEP_RUNS_DAYS),
    lastOfPerson: given(settings.ORCHARD_KEEP_RUNS_PER_PERSON),
    bytesOfPerson: given(settings.ORCHARD_KEEP_BYTES_PER_PERSON),
  };
  const unusedDatasetSeconds = seconds(settings.ORCHARD_KEEP_UNUSED_DATASETS_DAYS);
  const everySeconds = settings.ORCHARD_HOUSEKEEPING_HOURS * 3600;
  if (everySeconds === 0 && [...Object.values(rules), unusedDatasetSeconds].some((rule) => rule !== null)) {
    throw refusal(
      'rules of what is kept, and 0 hours',
      'a schedule by which they are applied',
      'ORCHARD_HOUSEKEEPING_HOURS',
      'Set it to a number of hours, or leave the ORCHARD_KEEP_… settings out.',
    );
  }
  return { everySeconds, rules, unusedDatasetSeconds };
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
