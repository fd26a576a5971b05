import { LRUCache } from 'lru-cache';

/** What was read, and is believed for a while: what is stored under a name may be removed and made anew. */
export class Kept<Value extends NonNullable<unknown>> extends LRUCache<string, Value> {
  constructor({ milliseconds, most }: { readonly milliseconds: number; readonly most: number }) {
    // the clock is looked up at each call, so that tests can replace it
    super({ max: most, ttl: milliseconds, ttlResolution: 0, perf: { now: () => performance.now() } });
  }
}

/** For documents of runs: a bucket may be emptied and filled anew under the same names. */
export const keptDocuments = { milliseconds: 30_000, most: 10_000 } as const;
