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
  const facts = parseInfo(await redis.info());
  const where = placeOf(redis);
  const version = facts.get('redis_version') ?? '0.0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1])) {
    throw new QueueError('unsuitable-server', {
      got: `Redis ${version}`,
      expected: `${leastVersion.join('.')} or later, or Valkey`,
      where,
      remedy: 'Use a newer server.',
    });
  }
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    throw new QueueError('unsuitable-server', {
      got: `maxmemory-policy ${policy}, which drops jobs when memory is short`,
      expected: 'noeviction',
      where,
      remedy: 'Run CONFIG SET maxmemory-policy noeviction, and set it in the configuration of the server.',
    });
  }
  if (facts.get('aof_enabled') === '1') return [];
  return [
    `Redis at ${where} keeps no append-only file: after its restart jobs are made anew from the store, which takes a few seconds. Set appendonly yes to spare that.`,
  ];
}

/** The reply of INFO: `name:value` lines. */
export function parseInfo(text: string): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0 && !line.startsWith('#')) facts.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return facts;
}
