import type { ByteRange, ListOptions, ObjectEntry, ObjectStore, PutResult } from '@orchard/storage';
import { CoordinatorError } from '../errors.js';
import type { RequestMemory } from '../http/request-memory.js';

/**
 * The store as the threads of requests see it: what they open is not too large, and its memory is taken before it
 * comes.
 */
export class ModelStore implements ObjectStore {
  constructor(
    private readonly store: ObjectStore,
    private readonly mostBytes: number,
    private readonly memory: RequestMemory,
  ) {}

  /** @throws CoordinatorError `over-limit`, `unavailable`; what the store throws */
  async get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    const size = (await this.store.head(name))?.size ?? 0;
    if (size > this.mostBytes)
      throw new CoordinatorError('over-limit', {
        got: `a network of ${size} bytes`,
        expected: `at most ${this.mostBytes}, which this coordinator holds in memory`,
        remedy:
          'Fetch the network and use `orchard evaluate` or `orchard sample`, or raise ORCHARD_NETWORK_CACHE_BYTES.',
      });
    const share = this.memory.share();
    try {
      share.take(size);
      return await this.store.get(name, range);
    } finally {
      share.release();
    }
  }

  put(name: string, bytes: Uint8Array): Promise<PutResult> {
    return this.store.put(name, bytes);
  }

  head(name: string): Promise<ObjectEntry | null> {
    return this.store.head(name);
  }

  list(prefix: string, options?: ListOptions): Promise<readonly ObjectEntry[]> {
    return this.store.list(prefix, options);
  }

  delete(name: string): Promise<void> {
    return this.store.delete(name);
  }
}
