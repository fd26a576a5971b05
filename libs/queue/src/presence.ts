import type { Redis } from 'ioredis';
import type { WorkerPresence } from './queues.js';

/** Seconds after which a worker that says nothing counts as gone; it speaks three times as often. */
export const presenceSeconds = 15;

/** Ages are by Redis's clock: those of the workers may differ. */
export async function announce(redis: Redis, key: string, { id, ...presence }: WorkerPresence): Promise<void> {
  const [seconds] = await redis.time();
  await redis.hset(key, id, JSON.stringify({ at: Number(seconds), ...presence }));
}

export async function withdraw(redis: Redis, key: string, id: string): Promise<void> {
  await redis.hdel(key, id);
}

/** The workers that spoke lately; the long silent are forgotten. */
export async function present(redis: Redis, key: string): Promise<readonly WorkerPresence[]> {
  const [[seconds], entries] = await Promise.all([redis.time(), redis.hgetall(key)]);
  const workers: WorkerPresence[] = [];
  const gone: string[] = [];
  for (const [id, text] of Object.entries(entries)) {
    const { at, ...presence } = JSON.parse(text) as { at: number } & Omit<WorkerPresence, 'id'>;
    const age = Number(seconds) - at;
    if (age <= presenceSeconds) workers.push({ id, ...presence });
    else if (age > 10 * presenceSeconds) gone.push(id);
  }
  if (gone.length > 0) await redis.hdel(key, ...gone);
  return workers;
}
