import type { Redis } from 'ioredis';
import { placeOf } from './connection.js';
import { QueueError } from './errors.js';

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
  const factOf = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const where = placeOf(redis);
  const version = factOf('redis_version') ?? '0.0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1])) {
    throw new QueueError('unsuitable-server', {
      got: `Redis ${version}`,
      expected: `${leastVersion.join('.')} or later, or Valkey`,
      where,
      remedy: 'Use a newer server.',
    });
  }
  const policy = factOf('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    throw new QueueError('unsuitable-server', {
      got: `maxmemory-policy ${policy}, which drops jobs when memory is short`,
      expected: 'noeviction',
      where,
      remedy: 'Run CONFIG SET maxmemory-policy noeviction, and set it in the configuration of the server.',
    });
  }
  if (factOf('aof_enabled') === '1') return [];
  return [
    `Redis at ${where} keeps no append-only file: after its restart jobs are made anew from the store, which takes a few seconds. Set appendonly yes to spare that.`,
  ];
}
