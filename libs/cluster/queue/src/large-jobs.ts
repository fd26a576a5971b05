import type { Pool } from '@orchard/contracts';
import type { Redis } from 'ioredis';

/**
 * The queues in Redis. What some workers have no memory for waits in a queue of its own, which those alone take from
 * that have: in one queue it would come to the others again and again, and each would hold it for a while.
 */
export const queueNames = ['worker', 'large', 'selector'] as const;
export type QueueName = (typeof queueNames)[number];

export function poolOf(queue: QueueName): Pool {
  return queue === 'large' ? 'worker' : queue;
}

/** For how long workers believe the coordinator that said it last. */
const believedSeconds = 300;

/** Says from which memory on a worker takes large jobs; null where there are none. */
export async function setLargeBytes(redis: Redis, key: string, bytes: number | null): Promise<void> {
  if (bytes === null) await redis.del(key);
  else await redis.set(key, String(bytes), 'EX', believedSeconds);
}

/** Infinity where there are no large jobs. */
export async function largeBytes(redis: Redis, key: string): Promise<number> {
  const bytes = await redis.get(key);
  return bytes === null ? Infinity : Number(bytes);
}
