import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { missing } from './errors.js';
import { GuardedStore, type Outage } from './guarded-store.js';
import type { ObjectEntry, ObjectStore } from './object-store.js';

/** One object behind a network that can swallow requests; counts what was sent. */
class SwallowingStore implements ObjectStore {
  swallows: 'nothing' | 'transfers' | 'all' = 'nothing';
  requests = 0;
  #swallowed: (() => void)[] = [];

  put = (): Promise<'exists'> => this.#answer('transfers', () => 'exists');
  get = (name: string): Promise<Uint8Array<ArrayBuffer>> =>
    this.#answer('transfers', () => {
      if (name !== 'a/b') throw missing(name);
      return new Uint8Array([1, 2]);
    });
  head = (): Promise<null> => this.#answer('all', () => null);
  list = (): Promise<readonly ObjectEntry[]> => this.#answer('all', () => []);
  delete = (): Promise<void> => this.#answer('all', () => undefined);

  /** Nothing is swallowed any more, and what was goes on. */
  heal(): void {
    this.swallows = 'nothing';
    for (const goOn of this.#swallowed.splice(0)) goOn();
  }

  async #answer<T>(kind: 'transfers' | 'all', answer: () => T): Promise<T> {
    this.requests += 1;
    if (this.swallows === 'all' || this.swallows === kind)
      await new Promise<void>((resolve) => this.#swallowed.push(resolve));
    return answer();
  }
}

let behind: SwallowingStore;
let store: GuardedStore;
let changes: (Outage | null)[];

beforeEach(() => {
  vi.useFakeTimers();
  behind = new SwallowingStore();
  store = new GuardedStore(behind);
  changes = [];
  store.onChange((outage) => changes.push(outage));
});
afterEach(() => {
  vi.useRealTimers();
});

const settled = <T>(request: Promise<T>): Promise<PromiseSettledResult<T>> =>
  Promise.allSettled([request]).then(([one]) => one);

test('a request that is swallowed fails after 5 s, and all others at once until a probe is answered', async () => {
  behind.swallows = 'all';
  const first = settled(store.head('a/b'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await first).toMatchObject({
    reason: { code: 'unavailable', retryable: true, got: 'no answer from object storage within 5 s' },
  });
  expect(store.outage).toBeNull();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(store.outage).toMatchObject({ reason: 'no answer within 2 s' });

  const sent = behind.requests;
  const requests: Promise<unknown>[] = [
    store.get('a/b'),
    store.put('a/c', new Uint8Array(1)),
    store.list(''),
    store.delete('a/b'),
  ];
  for (const request of requests)
    expect(await settled(request)).toMatchObject({
      reason: {
        code: 'unavailable',
        got: expect.stringContaining('no answer within 2 s from object storage, since') as string,
      },
    });
  expect(behind.requests).toBe(sent);

  behind.heal();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(store.outage).toBeNull();
  expect(await store.get('a/b')).toEqual(new Uint8Array([1, 2]));
  expect(changes.map((outage) => outage !== null)).toEqual([true, false]);
});

test('a transfer goes on beyond the deadline while the store answers others', async () => {
  behind.swallows = 'transfers';
  const transfer = store.get('a/b');
  await vi.advanceTimersByTimeAsync(60_000);
  behind.heal();
  expect(await transfer).toEqual(new Uint8Array([1, 2]));
  expect(changes).toEqual([]);
});

test('a transfer fails when the store answers nothing any more', async () => {
  behind.swallows = 'all';
  const transfer = settled(store.put('a/c', new Uint8Array(1)));
  await vi.advanceTimersByTimeAsync(7_000);
  expect(await transfer).toMatchObject({ reason: { code: 'unavailable' } });
  expect(store.outage).not.toBeNull();
});

test('an outage is dated from its first probe, however long it lasts', async () => {
  behind.swallows = 'all';
  void settled(store.list(''));
  await vi.advanceTimersByTimeAsync(7_000);
  const since = store.outage?.since;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(store.outage?.since).toBe(since);
  expect(changes).toHaveLength(1);
});

test('answers pass through, and so do errors that are answers', async () => {
  expect(await store.head('a/b')).toBeNull();
  await expect(store.get('none')).rejects.toMatchObject({ code: 'missing' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect([behind.requests, changes]).toEqual([2, []]);
});

test('a store that asks each attempt to slow down is late for that reason, and not silent', async () => {
  const busy = new GuardedStore(behind, () => 'SlowDown');
  behind.swallows = 'all';
  const first = settled(busy.head('a/b'));
  await vi.advanceTimersByTimeAsync(7_000);
  expect(await first).toMatchObject({
    reason: { got: 'only SlowDown from object storage to all attempts within 5 s' },
  });
  expect(busy.outage).toMatchObject({ reason: 'only SlowDown to all attempts within 2 s', isAnswering: true });
  behind.heal();
});
