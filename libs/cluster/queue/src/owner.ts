import type { Redis } from 'ioredis';
import { placeOf, QueueError } from './errors.js';

/** A cluster that is gone holds the queue for so long. */
const claimSeconds = 60;

/** Takes the queue for a cluster, or keeps it; returns whose it is. */
const claimScript = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return owner end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]`;

/**
 * Claims the queue for the cluster of a store, until a minute after the last time. It is a write, so that it shows too
 * whether the server takes any.
 *
 * @returns whose the queue is
 */
export async function claim(redis: Redis, key: string, cluster: string): Promise<string> {
  return String(await redis.eval(claimScript, 1, key, cluster, claimSeconds));
}

/** Whose the queue is; null where no coordinator is there. */
export function ownerOf(redis: Redis, key: string): Promise<string | null> {
  return redis.get(key);
}

export function otherStore(redis: Redis, prefix: string): QueueError {
  return new QueueError('other-store', {
    got: `a queue that belongs to a cluster with another store (${prefix})`,
    expected: 'one of this store, or a free one',
    where: placeOf(redis),
    remedy:
      'Set ORCHARD_REDIS_PREFIX, in braces, to another name for each cluster. Where the store was emptied or replaced, wait a minute after the last coordinator of the old one ended.',
  });
}
