import type { Redis } from 'ioredis';
import type { LateWorker, WorkerPresence } from './queues.js';

/** Between two announcements of a worker. */
export const announceSeconds = 1;
/** Seconds after which a worker that announces nothing counts as gone. */
const presenceSeconds = 15;
/** For how long one that has fallen silent is still listed. */
const rememberedSeconds = 10 * presenceSeconds;

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
  const workers = await presentOrLate(redis, key);
  return workers
    .filter(({ isThere }) => isThere)
    .map(({ silentSeconds, isThere, ...presence }) => {
      void silentSeconds;
      void isThere;
      return presence;
    });
}

/** Those too that fell silent some minutes ago at most: workers that ended well are not among them. */
export async function presentOrLate(redis: Redis, key: string): Promise<readonly LateWorker[]> {
  const [[seconds], entries] = await Promise.all([redis.time(), redis.hgetall(key)]);
  const workers: LateWorker[] = [];
  const gone: string[] = [];
  for (const [id, text] of Object.entries(entries)) {
    const { at, ...presence } = JSON.parse(text) as { at: number } & Omit<WorkerPresence, 'id'>;
    const silentSeconds = Math.max(0, Number(seconds) - at);
    if (silentSeconds <= rememberedSeconds)
      workers.push({ id, ...presence, silentSeconds, isThere: silentSeconds <= presenceSeconds });
    else gone.push(id);
  }
  if (gone.length > 0) await redis.hdel(key, ...gone);
  return workers;
}
