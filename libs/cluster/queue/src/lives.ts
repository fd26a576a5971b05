import type { Redis } from 'ioredis';
import { paceAfter, recoverySeconds, rememberedSeconds, slownessOf, type Pace } from './pace.js';

/** Between two signs of life. */
export const beatSeconds = 2;
/** Who gave none for so long is dead. */
const silentSeconds = 7;

/**
 * The lives of one worker, known by a name that survives its restarts: a hash in Redis with an entry for each life, the
 * time of its last sign by Redis's clock. A worker that ends by itself removes its entry; one that falls silent and
 * stays there was a death. What a worker finds at its start counts as deaths until it turns out to be another of the
 * same name that lives: two on one machine, say. Kept for ten minutes after the last; where Redis is emptied they are
 * forgotten.
 */
export class Lives {
  /** Earlier lives and their last signs. */
  readonly #suspects: ReadonlyMap<string, number>;
  /** Of these, what did not turn out to be alive or ended well. */
  #feared: ReadonlySet<string>;
  /** Of these, who has been silent for so long that it is certain. */
  #dead: ReadonlySet<string> = new Set();
  readonly #begun = performance.now();

  private constructor(
    private readonly redis: Redis,
    private readonly key: string,
    private readonly id: string,
    private readonly who: string,
    suspects: ReadonlyMap<string, number>,
  ) {
    this.#suspects = suspects;
    this.#feared = new Set(suspects.keys());
  }

  /**
   * @param id of this life
   * @param who as people call it, `Worker host-7`
   */
  static async begin(redis: Redis, key: string, id: string, who: string): Promise<Lives> {
    const [now, entries] = await signs(redis, key);
    const forgotten = [...entries].filter(([, at]) => now - at > rememberedSeconds).map(([other]) => other);
    if (forgotten.length > 0) await redis.hdel(key, ...forgotten);
    for (const other of forgotten) entries.delete(other);
    const lives = new Lives(redis, key, id, who, entries);
    await lives.#sign(now);
    lives.#judge(now, entries);
    return lives;
  }

  /** How much to take on now. */
  get pace(): Pace {
    return paceAfter(this.#feared.size, (performance.now() - this.#begun) / 1_000);
  }

  /**
   * Why it is slowed, a sentence for people; null where it is not, or where it is not known yet whether a worker died.
   */
  get notice(): string | null {
    return slownessOf(this.who, this.#dead.size, this.pace);
  }

  /** Gives a sign of life, and looks at what became of the earlier lives. */
  async beat(): Promise<void> {
    const [now, entries] = await signs(this.redis, this.key);
    await this.#sign(now);
    if (this.#feared.size === 0) return;
    this.#judge(now, entries);
    if (performance.now() - this.#begun < recoverySeconds * 1_000) return;
    await this.redis.hdel(this.key, ...this.#feared);
    this.#dead = new Set();
    this.#feared = this.#dead;
  }

  /** This life ends well. */
  async end(): Promise<void> {
    await this.redis.hdel(this.key, this.id);
  }

  async #sign(now: number): Promise<void> {
    await this.redis.multi().hset(this.key, this.id, now).expire(this.key, rememberedSeconds).exec();
  }

  #judge(now: number, entries: ReadonlyMap<string, number>): void {
    const isFeared = (id: string): boolean => entries.get(id) === this.#suspects.get(id);
    this.#feared = new Set([...this.#feared].filter(isFeared));
    this.#dead = new Set([...this.#feared].filter((id) => now - this.#suspects.get(id)! >= silentSeconds));
  }
}

async function signs(redis: Redis, key: string): Promise<[now: number, entries: Map<string, number>]> {
  const [[seconds], found] = await Promise.all([redis.time(), redis.hgetall(key)]);
  return [Number(seconds), new Map(Object.entries(found).map(([id, at]) => [id, Number(at)]))];
}
