import type { Redis } from 'ioredis';
import { answered } from './connection.js';
import { QueueError } from './errors.js';
import { claim, otherStore } from './owner.js';
import { refusalOf } from './replies.js';
import { policyOf } from './server-check.js';

const watchMilliseconds = 2_000;
/** Settings of a server change seldom. */
const policyMilliseconds = 30_000;

/** Why jobs cannot be put into Redis. */
export interface RedisOutage {
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly reason: string;
  /** Whether the server is there, and refuses. */
  readonly isAnswering: boolean;
}

/**
 * Whether a server answers, and takes what is written: its connection says so when it breaks, and a small write every
 * two seconds where it does not. A server without its replicas, or with a full disk, answers questions, but refuses it.
 */
export class RedisWatch {
  readonly #listeners = new Set<() => void>();
  readonly #timer: NodeJS.Timeout;
  #cluster: string | null = null;
  #outage: RedisOutage | null = null;
  #warning: string | null = null;
  #policyAt = performance.now();
  #isAsking = false;

  constructor(
    private readonly redis: Redis,
    private readonly keys: { readonly prefix: string; readonly owner: string },
  ) {
    redis.on('close', () => {
      this.#judge('the connection is closed', false);
    });
    redis.on('error', (error: Error) => {
      const refusal = refusalOf(redis, error);
      if (refusal !== null) this.#judge(refusal.message, true);
    });
    redis.on('ready', () => {
      this.#judge(null, true);
    });
    this.#timer = setInterval(() => void this.#ask(), watchMilliseconds);
    this.#timer.unref();
  }

  get outage(): RedisOutage | null {
    return this.#outage;
  }

  /** What people should change at the server, a sentence; null where all is well. */
  get warning(): string | null {
    return this.#warning;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** @throws QueueError `other-store` where the queue is that of another cluster */
  async claim(cluster: string): Promise<void> {
    const owner = await claim(this.redis, this.keys.owner, cluster);
    if (owner !== cluster) throw otherStore(this.redis, this.keys.prefix);
    this.#cluster = cluster;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  async #ask(): Promise<void> {
    if (this.#isAsking || this.redis.status !== 'ready') return;
    this.#isAsking = true;
    try {
      await answered(this.redis, this.#write(), watchMilliseconds);
      await this.#checkPolicy();
      this.#judge(null, true);
    } catch (error) {
      const refusal =
        error instanceof QueueError && error.code !== 'unreachable' ? error : refusalOf(this.redis, error);
      if (refusal === null) this.#judge(`no answer within ${watchMilliseconds / 1000} s`, false);
      else this.#judge(refusal.message, true);
    } finally {
      this.#isAsking = false;
    }
  }

  async #write(): Promise<void> {
    if (this.#cluster === null) await this.redis.set(`${this.keys.prefix}:watch`, '1', 'EX', 60);
    else await this.claim(this.#cluster);
  }

  /** An administrator may change it at any time, and a failover may bring a server that was set up otherwise. */
  async #checkPolicy(): Promise<void> {
    if (performance.now() - this.#policyAt < policyMilliseconds) return;
    this.#policyAt = performance.now();
    const refusal = await policyOf(this.redis);
    this.#warning = refusal?.message ?? null;
  }

  #judge(reason: string | null, isAnswering: boolean): void {
    const before = this.#outage;
    if (reason === null) this.#outage = null;
    // a server that refuses also closes: what it said explains both
    else if (before === null || (isAnswering && before.reason !== reason))
      this.#outage = { since: before?.since ?? Date.now(), reason, isAnswering };
    if (before?.reason === this.#outage?.reason) return;
    for (const listener of this.#listeners) listener();
  }
}
