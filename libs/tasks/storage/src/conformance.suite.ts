import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAll, type ObjectStore } from './index.js';

export interface Conformance {
  /** An empty store, and another connection to the same one. */
  open(): Promise<{ store: ObjectStore; another: ObjectStore; close?(): Promise<void> }>;
  /** The size of the large object, in bytes; above the adapter's threshold for writing in parts, where it has one. */
  largeObject: number;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const rejection = (code: string, retryable: boolean): unknown =>
  expect.objectContaining({ code, retryable, remedy: expect.any(String) as string });

/** Bytes that differ at every place of any period a store might confuse. */
function pattern(size: number, seed = 1): Uint8Array {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = seed;
  for (let at = 0; at < words.length; at += 1) words[at] = state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return new Uint8Array(words.buffer, 0, size);
}

/** What every adapter of {@link ObjectStore} must do. Each test works under a folder of its own. */
export function describeObjectStore(title: string, { open, largeObject }: Conformance): void {
  describe(title, () => {
    let store: ObjectStore;
    let another: ObjectStore;
    let close: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      ({ store, another, close } = await open());
    });
    afterAll(() => close?.());

    describe('put and get', () => {
      test('what was put is got, by another connection too', async () => {
        expect(await store.put('put/plain', text('chestnut'))).toBe('created');
        expect(await store.get('put/plain')).toEqual(text('chestnut'));
        expect(await another.get('put/plain')).toEqual(text('chestnut'));
        const { storedAt, ...entry } = (await another.head('put/plain'))!;
        expect(entry).toEqual({ name: 'put/plain', size: 8 });
        // servers keep whole seconds, and have clocks of their own
        expect(Math.abs(storedAt - Date.now())).toBeLessThan(60_000);
        expect(await another.list('put/plain')).toEqual([{ ...entry, storedAt: expect.any(Number) as number }]);
      });

      test('the same bytes again are a success that says so', async () => {
        await store.put('put/again', text('oak'));
        expect(await store.put('put/again', text('oak'))).toBe('exists');
        expect(await another.put('put/again', text('oak'))).toBe('exists');
      });

      test('other bytes are refused for good, and change nothing', async () => {
        await store.put('put/other', text('oak'));
        for (const other of ['elm', 'oaks', 'oa', '']) {
          await expect(another.put('put/other', text(other))).rejects.toEqual(rejection('conflict', false));
        }
        expect(await store.get('put/other')).toEqual(text('oak'));
      });

      test('an empty object is an object', async () => {
        expect(await store.put('put/empty', new Uint8Array(0))).toBe('created');
        expect(await store.put('put/empty', new Uint8Array(0))).toBe('exists');
        expect(await store.get('put/empty')).toEqual(new Uint8Array(0));
        expect(await store.get('put/empty', { start: 0, end: 10 })).toEqual(new Uint8Array(0));
        expect(await store.head('put/empty')).toMatchObject({ name: 'put/empty', size: 0 });
        await expect(store.put('put/empty', text('x'))).rejects.toEqual(rejection('conflict', false));
      });

      test('a view on part of a buffer, plain or shared, stores that part alone', async () => {
        const shared = new Uint8Array(new SharedArrayBuffer(100)).fill(7).subarray(10, 20);
        await store.put('put/view', pattern(1000).subarray(100, 200));
        await store.put('put/shared', shared);
        expect(await store.get('put/view')).toEqual(pattern(1000).slice(100, 200));
        expect(await store.get('put/shared')).toEqual(new Uint8Array(10).fill(7));
      });

      test('all 256 values of a byte survive', async () => {
        const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
        await store.put('put/binary', bytes);
        expect(await store.get('put/binary')).toEqual(bytes);
      });

      test('a large object is stored and compared whole', async () => {
        const bytes = pattern(largeObject);
        expect(await store.put('put/large', bytes)).toBe('created');
        expect(await another.put('put/large', bytes)).toBe('exists');
        expect(hash(await another.get('put/large'))).toBe(hash(bytes));
        expect(await another.head('put/large')).toMatchObject({ name: 'put/large', size: largeObject });
        const changed = bytes.slice();
        changed[largeObject - 1]! ^= 1;
        await expect(another.put('put/large', changed)).rejects.toEqual(rejection('conflict', false));
        const tail = await store.get('put/large', { start: largeObject - 5, end: largeObject + 5 });
        expect(tail).toEqual(bytes.slice(-5));
      });
    });

    describe('ranges', () => {
      const bytes = pattern(1000);
      beforeAll(() => store.put('range/object', bytes));

      test.each([
        [0, 1],
        [0, 1000],
        [999, 1000],
        [10, 500],
        [0, 64_000],
        [990, 2000],
        [1000, 1001],
        [5000, 6000],
      ])('bytes %d to %d are those that the object has of them', async (start, end) => {
        expect(await store.get('range/object', { start, end })).toEqual(bytes.slice(start, end));
      });

      test.each([
        [-1, 5],
        [5, 5],
        [6, 5],
        [0.5, 2],
        [0, Infinity],
        [NaN, 1],
      ])('%d to %d is no range', async (start, end) => {
        await expect(store.get('range/object', { start, end })).rejects.toEqual(rejection('invalid-range', false));
      });

      test('of an object that is not there is as much a failure as the whole', async () => {
        await expect(store.get('range/none', { start: 0, end: 5 })).rejects.toEqual(rejection('missing', false));
      });
    });

    describe('missing objects', () => {
      test('are an error to read, null to head, nothing to list, and no trouble to delete', async () => {
        await expect(store.get('none/at/all')).rejects.toEqual(rejection('missing', false));
        expect(await store.head('none/at/all')).toBeNull();
        expect(await store.list('none/')).toEqual([]);
        await store.delete('none/at/all');
      });

      test('the folder of an object is no object', async () => {
        await store.put('folder/of/one', text('x'));
        await expect(store.get('folder/of')).rejects.toEqual(rejection('missing', false));
        expect(await store.head('folder/of')).toBeNull();
        await store.delete('folder/of');
        expect(await store.get('folder/of/one')).toEqual(text('x'));
      });
    });

    describe('delete', () => {
      test('removes one object and no other, and its name is free again', async () => {
        await store.put('delete/one', text('1'));
        await store.put('delete/one-more', text('2'));
        await store.delete('delete/one');
        expect(await another.head('delete/one')).toBeNull();
        expect((await another.list('delete/')).map(({ name }) => name)).toEqual(['delete/one-more']);
        expect(await another.put('delete/one', text('3'))).toBe('created');
        expect(await store.get('delete/one')).toEqual(text('3'));
      });
    });

    describe('races', () => {
      test('of 20 writers of the same bytes one creates, round after round', async () => {
        for (let round = 0; round < 10; round += 1) {
          const bytes = pattern(1000 + round);
          const racers = Array.from({ length: 20 }, (_, racer) =>
            (racer % 2 ? store : another).put(`race/same/${round}`, bytes),
          );
          const results = await Promise.all(racers);
          expect(results.filter((result) => result === 'created')).toHaveLength(1);
          expect(await store.get(`race/same/${round}`)).toEqual(bytes);
        }
      });

      test('of 20 writers of different bytes one creates, and the others are refused for good', async () => {
        for (let round = 0; round < 10; round += 1) {
          const results = await Promise.allSettled(
            Array.from({ length: 20 }, (_, racer) =>
              (racer % 2 ? store : another).put(`race/other/${round}`, pattern(500, racer + 2)),
            ),
          );
          const winners = results.flatMap(({ status }, racer) => (status === 'fulfilled' ? [racer] : []));
          expect(winners).toHaveLength(1);
          for (const result of results) {
            if (result.status === 'rejected') expect(result.reason).toEqual(rejection('conflict', false));
          }
          expect(await store.get(`race/other/${round}`)).toEqual(pattern(500, winners[0]! + 2));
        }
      });

      test('of 4 writers of a large object one creates', async () => {
        const bytes = pattern(largeObject, 99);
        const results = await Promise.all([store, another, store, another].map((one) => one.put('race/large', bytes)));
        expect(results.filter((result) => result === 'created')).toHaveLength(1);
        expect(hash(await store.get('race/large'))).toBe(hash(bytes));
      });

      test('a reader beside a writer sees nothing or everything', async () => {
        const bytes = pattern(300_000);
        for (let round = 0; round < 5; round += 1) {
          let writing = true;
          const written = store.put(`race/read/${round}`, bytes).finally(() => (writing = false));
          while (writing) {
            const entry = await another.head(`race/read/${round}`);
            if (entry) expect(entry.size).toBe(bytes.length);
          }
          await written;
        }
      });

      test('writers and deleters in one folder do each other no harm', async () => {
        await Promise.all(
          Array.from({ length: 20 }, async (_, racer) => {
            for (let round = 0; round < 5; round += 1) {
              await store.put(`race/folder/${racer}/${round}`, text('x'));
              await another.delete(`race/folder/${racer}/${round}`);
            }
          }),
        );
        expect(await store.list('race/folder/')).toEqual([]);
      });
    });

    describe('list', () => {
      const names = [
        'list/a-b',
        'list/a.b',
        'list/a/b',
        'list/a/c/d',
        'list/a0',
        'list/aa',
        'list/b',
        'list/B',
        'list/_',
      ];
      beforeAll(async () => {
        for (const name of names) await store.put(name, text(name));
      });

      test('is in byte order of the whole names, with sizes', async () => {
        expect((await store.list('list/')).map(({ name, size }) => ({ name, size }))).toEqual(
          names.toSorted().map((name) => ({ name, size: name.length })),
        );
      });

      test('takes a prefix as a plain string', async () => {
        const found = async (prefix: string): Promise<string[]> =>
          (await another.list(prefix)).map(({ name }) => name.slice(5));
        expect(await found('list/a')).toEqual(['a-b', 'a.b', 'a/b', 'a/c/d', 'a0', 'aa']);
        expect(await found('list/a/')).toEqual(['a/b', 'a/c/d']);
        expect(await found('list/a/c')).toEqual(['a/c/d']);
        expect(await found('list/aa')).toEqual(['aa']);
        expect(await found('list/aaa')).toEqual([]);
      });

      test('goes on after any name, one that is gone or never was too', async () => {
        const sorted = names.toSorted();
        for (const [index, name] of sorted.entries()) {
          const page = await store.list('list/', { after: name, limit: 2 });
          expect(page.map((entry) => entry.name)).toEqual(sorted.slice(index + 1, index + 3));
        }
        const between = await store.list('list/', { after: 'list/a/bb', limit: 1 });
        expect(between[0]!.name).toBe('list/a/c/d');
        expect(await store.list('list/', { after: 'list/zz' })).toEqual([]);
      });

      test('of more objects than a page holds is complete, page after page', async () => {
        const many = Array.from({ length: 1003 }, (_, index) => `many/${index}`);
        for (let start = 0; start < many.length; start += 50) {
          await Promise.all(many.slice(start, start + 50).map((name) => store.put(name, text(name))));
        }
        expect(await store.list('many/')).toHaveLength(1000);
        const found: string[] = [];
        for await (const { name } of listAll(store, 'many/')) found.push(name);
        expect(found).toEqual(many.toSorted());
        await Promise.all(many.map((name) => store.delete(name)));
        expect(await store.list('many/')).toEqual([]);
      });

      test.each([0, -1, 1.5, 1001, NaN])('a limit of %d is refused', async (limit) => {
        await expect(store.list('list/', { limit })).rejects.toEqual(rejection('invalid-range', false));
      });
    });

    describe('names', () => {
      test.each([
        '0',
        'a..b/c',
        'x=1/y=2',
        '-dash',
        '_under',
        'UPPER/lower',
        `${'deep/'.repeat(30)}end`,
        'n'.repeat(200),
      ])('%j is one', async (name) => {
        await store.put(`names/${name}`, text(name));
        expect(await store.get(`names/${name}`)).toEqual(text(name));
        expect(await store.list(`names/${name}`)).toMatchObject([{ name: `names/${name}`, size: name.length }]);
        await store.delete(`names/${name}`);
      });

      const outside = [
        '',
        '/',
        '/etc/passwd',
        '..',
        '../outside',
        'a/../../outside',
        'a/./b',
        '.hidden',
        'a/.incomplete/b',
      ];
      const odd = ['a//b', 'a/', 'a b', 'a\\b', 'C:\\x', 'a\0b', 'a%2e', 'ä', '🌳', 'a\nb', 'a?b', 'a*b', 'a:b', '~'];
      const long = ['n'.repeat(201), 'long/'.repeat(200) + 'x'];
      test.each([...outside, ...odd, ...long])('%j is none, whatever is asked of it', async (name) => {
        const refusal = rejection('invalid-name', false);
        await expect(store.put(name, text('x'))).rejects.toEqual(refusal);
        await expect(store.get(name)).rejects.toEqual(refusal);
        await expect(store.head(name)).rejects.toEqual(refusal);
        await expect(store.delete(name)).rejects.toEqual(refusal);
      });

      test.each(['../', '..', '/', 'a//', 'a b', './'])('%j is no prefix', async (prefix) => {
        await expect(store.list(prefix)).rejects.toEqual(rejection('invalid-name', false));
      });
    });
  });
}
