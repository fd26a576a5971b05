import type { Redis } from 'ioredis';
import { answered } from './connection.js';

const watchMilliseconds = 2_000;

/** Whether a server answers: its connection says so when it breaks, and a ping every two seconds where it does not. */
export class RedisWatch {
  readonly #redis: Redis;
  readonly #listeners = new Set<() => void>();
  readonly #timer: NodeJS.Timeout;
  #outage: { readonly since: number; readonly reason: string } | null = null;
  #isPinging = false;

  constructor(redis: Redis) {
    this.#redis = redis;
    redis.on('close', () => {
      this.#judge('the connection is closed');
    });
    redis.on('ready', () => {
      this.#judge(null);
    });
    this.#timer = setInterval(() => void this.#ping(), watchMilliseconds);
    this.#timer.unref();
  }

  get outage(): { readonly since: number; readonly reason: string } | null {
    return this.#outage;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  async #ping(): Promise<void> {
    if (this.#isPinging || this.#redis.status !== 'ready') return;
    this.#isPinging = true;
    try {
      await answered(this.#redis, this.#redis.ping(), watchMilliseconds);
      this.#judge(null);
    } catch {
      this.#judge(`no answer within ${watchMilliseconds / 1000} s`);
    } finally {
      this.#isPinging = false;
    }
  }

  #judge(reason: string | null): void {
    const wasAway = this.#outage !== null;
    if (reason === null) this.#outage = null;
    else this.#outage ??= { since: Date.now(), reason };
    if (wasAway === (this.#outage !== null)) return;
    for (const listener of this.#listeners) listener();
  }
}
