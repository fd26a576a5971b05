import type { Redis } from 'ioredis';
import { placeOf, QueueError } from './errors.js';

/** BullMQ's scripts use commands that came with it. */
const leastVersion: readonly [number, number] = [6, 2];

/**
 * Refuses a server that would lose jobs, and says what could be better about one that would not.
 *
 * @returns warnings, each a sentence
 * @throws QueueError `unsuitable-server`
 */
export async function checkServer(redis: Redis): Promise<readonly string[]> {
  const info = await redis.info();
  const where = placeOf(redis);
  const version = factIn(info, 'redis_version') ?? '0.0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1])) {
    throw new QueueError('unsuitable-server', {
      got: `Redis ${version}`,
      expected: `${leastVersion.join('.')} or later, or Valkey`,
      where,
      remedy: 'Use a newer server.',
    });
  }
  const evicting = evictionIn(info, where);
  if (evicting !== null) throw evicting;
  if (factIn(info, 'aof_enabled') === '1') return [];
  return [
    `Redis at ${where} keeps no append-only file: after its restart jobs are made anew from the store, which takes a few seconds. Set appendonly yes to spare that.`,
  ];
}

/** Why a server would drop jobs now, whatever it was set to when this program started; null where it does not. */
export async function policyOf(redis: Redis): Promise<QueueError | null> {
  return evictionIn(await redis.info('memory'), placeOf(redis));
}

function evictionIn(info: string, where: string): QueueError | null {
  const policy = factIn(info, 'maxmemory_policy') ?? 'noeviction';
  if (policy === 'noeviction') return null;
  return new QueueError('unsuitable-server', {
    got: `maxmemory-policy ${policy}, which drops jobs when memory is short`,
    expected: 'noeviction',
    where,
    remedy: 'Run CONFIG SET maxmemory-policy noeviction, and set it in the configuration of the server.',
  });
}

function factIn(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}
