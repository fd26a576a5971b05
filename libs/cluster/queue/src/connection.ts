import type { Pool } from '@orchard/contracts';
import { Redis } from 'ioredis';
import { placeOf, QueueError } from './errors.js';
import { isForGood, refusalOf } from './replies.js';

/** Where the queue is, and how it is talked to. */
export interface QueueConnection {
  /** `redis://[user:password@]host[:port][/db]`, or `rediss:` for TLS. */
  readonly url: string;
  /**
   * All keys begin with it. The braces keep them in one slot of a Redis Cluster.
   * @default '{orchard}'
   */
  readonly prefix?: string | undefined;
  /** Called for connections that fail; they are made again without end. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Where everything of the queue is in Redis: BullMQ's keys begin with `prefix`, the others are ours. */
export function keysOf({ prefix = '{orchard}' }: QueueConnection): {
  prefix: string;
  workers: string;
  stop: string;
  owner: string;
  large: string;
  lives: (pool: Pool, worker: string) => string;
} {
  return {
    prefix,
    workers: `${prefix}:workers`,
    stop: `${prefix}:stop`,
    owner: `${prefix}:owner`,
    large: `${prefix}:large-bytes`,
    lives: (pool, worker) => `${prefix}:lives:${pool}:${worker}`,
  };
}

/** A pending command that hears nothing for this time has a dead connection. Longer than any blocking read (10 s). */
const silenceMilliseconds = 20_000;
const pingMilliseconds = 5_000;
/** What a brisk command has, also one that waits for a connection: a network that swallows packets refuses nothing. */
const briskMilliseconds = 5_000;

/** Between two connections that are made anew because the server was a replica. */
const leastReplicaMilliseconds = 500;
const mostReplicaMilliseconds = 15_000;

/**
 * `patient`: commands wait for as long as Redis is away (workers: BullMQ demands it). `brisk`: they fail after a few
 * seconds, so that a request or a pass of the reconciler ends.
 */
export type Patience = 'patient' | 'brisk';

/**
 * A connection that comes back by itself, under its watchdog: a ping every few seconds, so that there is always a
 * command that notices a peer which vanished without a word.
 */
export function open({ url, onError }: QueueConnection, role: string, patience: Patience): Redis {
  const redis = new Redis(checkUrl(url), {
    maxRetriesPerRequest: patience === 'patient' ? null : 3,
    ...(patience === 'brisk' && { commandTimeout: briskMilliseconds }),
    connectionName: `orchard-${role}`,
    socketTimeout: silenceMilliseconds,
    connectTimeout: 10_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2_000),
    reconnectOnError: afterFailover(),
  });
  redis.on('error', (error: Error) => onError?.(error));
  const watchdog = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => undefined);
  }, pingMilliseconds);
  watchdog.unref();
  redis.on('end', () => {
    clearInterval(watchdog);
  });
  return redis;
}

/**
 * A replica after a failover: connect again, to the primary, and send the command once more. While the name still leads
 * to the replica, each command would connect anew: between two such connections of one client the pause doubles.
 */
function afterFailover(): (error: Error) => 2 | false {
  let notBefore = -Infinity;
  let pause = leastReplicaMilliseconds;
  return ({ message }) => {
    if (!message.startsWith('READONLY')) return false;
    const now = performance.now();
    if (now < notBefore) return false;
    pause =
      now - notBefore > 2 * mostReplicaMilliseconds
        ? leastReplicaMilliseconds
        : Math.min(2 * pause, mostReplicaMilliseconds);
    notBefore = now + pause;
    return 2;
  };
}

/** Whether an error is that of a command which Redis did not answer, in the words of its client. */
export function isUnanswered(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'MaxRetriesPerRequestError' || error.message === 'Command timed out')
  );
}

/** @throws QueueError `unreachable`, and at once what no waiting mends: a wrong password, or TLS */
export async function whenReady(redis: Redis, milliseconds: number): Promise<void> {
  if (redis.status === 'ready') return;
  let last: unknown;
  let giveUp: (error: QueueError) => void;
  const remember = (error: unknown): void => {
    last = error;
    const refusal = refusalOf(redis, error);
    if (refusal !== null && isForGood(refusal)) giveUp(refusal);
  };
  const ready = new Promise<void>((resolve, reject) => {
    redis.once('ready', resolve);
    giveUp = reject;
  });
  redis.on('error', remember);
  await answered(redis, ready, milliseconds, () => last).finally(() => redis.off('error', remember));
}

/**
 * @param cause why there is none, if anybody knows by then.
 * @throws QueueError `unreachable` where no answer comes in time
 */
export async function answered<Answer>(
  redis: Redis,
  answer: Promise<Answer>,
  milliseconds: number,
  cause: () => unknown = () => undefined,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(unreachable(redis, `Redis to answer within ${milliseconds / 1000} s`, cause()));
    }, milliseconds);
  });
  return Promise.race([answer, late]).finally(() => {
    clearTimeout(timer);
  });
}

function checkUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed !== null && (parsed.protocol === 'redis:' || parsed.protocol === 'rediss:') && parsed.hostname !== '') {
    return url;
  }
  throw new QueueError('invalid-url', {
    got: parsed === null ? 'something that is not a URL' : `the scheme ${parsed.protocol}`,
    expected: 'redis://[user:password@]host[:port] or rediss:// for TLS',
    where: 'the Redis URL',
    remedy: 'Correct the address.',
  });
}

/** What a server that is there said, or that there is none. */
export function unreachable(redis: Redis, expected: string, cause?: unknown): QueueError {
  const refusal = refusalOf(redis, cause);
  if (refusal !== null) return refusal;
  const got = cause instanceof Error ? cause.message || 'a refused connection' : 'no answer';
  const remedy = 'Start Redis, or correct the address; the connection is made again by itself.';
  return new QueueError('unreachable', { got, expected, where: placeOf(redis), remedy }, { cause });
}
