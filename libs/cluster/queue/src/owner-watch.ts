import type { Redis } from 'ioredis';
import { otherStore, ownerOf } from './owner.js';

/** Looks whose the queue is: coordinators come and go, also those of another store that were given it by mistake. */
export class OwnerWatch {
  #cluster: string | null = null;
  /** Why the queue is not that of this process's store; null where it is, or is not known to be another's. */
  notice: string | null = null;

  /**
   * @param key where the queue's owner stands
   * @param clusterOf which cluster the store is of, null while that is not known: asked until it is
   */
  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    private readonly prefix: string,
    private readonly clusterOf: (() => Promise<string | null>) | undefined,
  ) {}

  /** @throws QueueError `other-store` */
  async begin(): Promise<void> {
    this.#cluster = (await this.clusterOf?.()) ?? null;
    if (await this.#isOther()) throw otherStore(this.redis, this.prefix);
  }

  async look(): Promise<void> {
    this.#cluster ??= (await this.clusterOf?.().catch(() => null)) ?? null;
    this.notice = (await this.#isOther()) ? otherStore(this.redis, this.prefix).message : null;
  }

  async #isOther(): Promise<boolean> {
    if (this.#cluster === null) return false;
    const owner = await ownerOf(this.redis, this.key);
    return owner !== null && owner !== this.#cluster;
  }
}
