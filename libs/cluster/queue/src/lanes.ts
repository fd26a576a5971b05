import type { Pool } from '@orchard/contracts';
import type { Redis } from 'ioredis';

/**
 * Queues of their own for some of what workers do:
 *
 * - `large`: what some workers have no memory for. Those alone take from it that have: in one queue it would come to
 *   the others again and again, and each would hold it for a while.
 * - `short`: what is soon done, while there are long tasks in the other queues. Each worker has places for it beside
 *   its others, so that it waits for no task in work.
 */
export const lanes = ['large', 'short'] as const;
export type Lane = (typeof lanes)[number];

/** The queues in Redis. */
export const queueNames = ['worker', ...lanes, 'selector'] as const;
export type QueueName = (typeof queueNames)[number];

export function laneOf(queue: QueueName): Lane | null {
  return queue === 'large' || queue === 'short' ? queue : null;
}

export function poolOf(queue: QueueName): Pool {
  return queue === 'selector' ? 'selector' : 'worker';
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
