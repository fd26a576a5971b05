import { StorageError } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ReportingStore, Standing } from './standing.js';

const log = { info: () => undefined, warn: () => undefined };
const denied = new StorageError('denied', { got: 'AccessDenied (403)', expected: 'success', remedy: 'Check the key.' });

describe('a worker whom the store refuses', () => {
  let standing: Standing;
  let changes: boolean[];

  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-27T08:00:00Z') });
    changes = [];
    standing = new Standing({ who: 'Worker host-7', log, onChange: () => changes.push(standing.isAside) });
  });
  afterEach(() => {
    standing.close();
    vi.useRealTimers();
  });

  test('takes no tasks, says why in the words of the server, and tries again less and less often', async () => {
    let tries = 0;
    let isOver = false;
    standing.refused(denied, () => (tries++, isOver ? Promise.resolve() : Promise.reject(denied)));
    expect(changes).toEqual([true]);
    expect(standing.notice).toMatch(
      /^Worker host-7 takes no tasks since 2026-11-27T08:00:00.000Z: got AccessDenied \(403\).*Check the key\. It tries/,
    );
    const triesAfter: number[] = [];
    for (const seconds of [0, 5, 10, 20, 40, 80, 160, 300, 300]) {
      await vi.advanceTimersByTimeAsync(1_000 * seconds);
      triesAfter.push(tries);
    }
    expect(triesAfter).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    isOver = true;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(changes).toEqual([true, false]);
    expect(standing.notice).toBeNull();
  });

  test('is back at once where the refusal was of one object alone', async () => {
    standing.refused(denied, () => Promise.resolve());
    await vi.advanceTimersByTimeAsync(0);
    expect(changes).toEqual([true, false]);
  });

  test('waits longer each time, until it has stored a task', async () => {
    const secondsAside = async (): Promise<number> => {
      const begun = Date.now();
      let tries = 0;
      standing.refused(denied, () => (tries++ === 0 ? Promise.reject(denied) : Promise.resolve()));
      while (standing.isAside) await vi.advanceTimersByTimeAsync(1_000);
      return Math.floor((Date.now() - begun) / 5_000) * 5;
    };
    const [first, second] = [await secondsAside(), await secondsAside()];
    expect(second).toBeGreaterThan(first);
    standing.stored();
    expect(await secondsAside()).toBe(first);
  });
});

describe('what was refused is tried again', () => {
  let tried: (() => Promise<unknown>)[];

  function reporting(): { store: ReportingStore; files: ReturnType<typeof temporaryStore> } {
    const files = temporaryStore();
    tried = [];
    return { files, store: new ReportingStore(files, 'cluster', (_error, again) => tried.push(again)) };
  }

  test('a put by a put as large, up to a mebibyte, of which nothing stays', async () => {
    const { store, files } = reporting();
    const { put } = files;
    const sizes: number[] = [];
    files.put = () => Promise.reject(denied);
    await expect(store.put('runs/a/conditionals/3', new Uint8Array(5_000))).rejects.toBe(denied);
    files.put = (name, bytes) => {
      sizes.push(bytes.length);
      return put.call(files, name, bytes);
    };
    await tried[0]!();
    expect(sizes).toEqual([5_000]);
    expect(await files.list('')).toEqual([]);
  });

  test('a read by a read of what every program may read; what is missing or damaged is no refusal', async () => {
    const { store, files } = reporting();
    await files.put('cluster', new Uint8Array(3));
    await expect(store.get('datasets/a')).rejects.toMatchObject({ code: 'missing' });
    expect(tried).toEqual([]);
    const { get } = files;
    files.get = (name) => (name === 'cluster' ? get.call(files, name) : Promise.reject(denied));
    await expect(store.get('datasets/a')).rejects.toBe(denied);
    await tried[0]!();
    files.get = () => Promise.reject(denied);
    await expect(tried[0]!()).rejects.toBe(denied);
  });
});
