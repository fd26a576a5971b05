import { FilesystemStore } from '@orchard/storage';
import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatasetCache } from './dataset-cache.js';

const name = (digit: string): string => `datasets/${digit.repeat(64)}`;
let folder: string;
let store: FilesystemStore;
let reads: string[];
let failures: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orchard-cache-'));
  store = await FilesystemStore.open(join(folder, 'store'));
  for (const digit of ['1', '2', '3']) await store.put(name(digit), new Uint8Array(1000).fill(Number(digit)));
  reads = [];
  failures = [];
});
afterEach(() => rm(folder, { recursive: true }));

function open(bytes = 10_000, directory = join(folder, 'cache')): DatasetCache {
  return new DatasetCache(store, {
    directory,
    bytes,
    onFailure: (error) => failures.push(error),
    onRead: (where) => reads.push(where),
  });
}

test('a data set is fetched once for all processes of a machine', async () => {
  const first = await open().get(name('1'));
  expect(await open().get(name('1'))).toEqual(first);
  expect(first).toEqual(new Uint8Array(1000).fill(1));
  expect(reads).toEqual(['store', 'cache']);
});

test('a file that is damaged is thrown away and fetched again', async () => {
  await open().get(name('1'));
  const [file] = await readdir(join(folder, 'cache'));
  await truncate(join(folder, 'cache', file!), 999);
  expect(await open().get(name('1'))).toEqual(new Uint8Array(1000).fill(1));
  expect(await open().get(name('1'))).toEqual(new Uint8Array(1000).fill(1));
  expect(reads).toEqual(['store', 'store', 'cache']);
  expect(await readdir(join(folder, 'cache'))).toEqual([file]);
});

test('the least recently used go when the limit is reached; what is larger than it is not kept', async () => {
  const cache = open(2_500);
  await cache.get(name('1'));
  await cache.get(name('2'));
  const first = (await readdir(join(folder, 'cache'))).find((file) => file.startsWith('1'))!;
  await utimes(join(folder, 'cache', first), 1, 1);
  await cache.get(name('3'));
  expect((await readdir(join(folder, 'cache'))).map((file) => file[0]).sort()).toEqual(['2', '3']);
  await open(999, join(folder, 'small')).get(name('1'));
  await expect(readdir(join(folder, 'small'))).rejects.toThrow('ENOENT');
});

test('a cache that cannot be written is no cache, and says so', async () => {
  await writeFile(join(folder, 'file'), '');
  expect(await open(10_000, join(folder, 'file')).get(name('1'))).toHaveLength(1000);
  expect(failures).toHaveLength(1);
});

test.runIf(process.platform === 'linux')('nor is one in a folder that answers that it is not there', async () => {
  expect(await open(10_000, '/proc/nope/cache').get(name('1'))).toHaveLength(1000);
  expect(failures).toMatchObject([{ code: 'ENOENT' }]);
});

test('everything else goes to the store', async () => {
  const cache = open();
  await cache.put('runs/a', new Uint8Array([1]));
  expect(await cache.get('runs/a')).toEqual(new Uint8Array([1]));
  expect(await cache.get(name('1'), { start: 0, end: 2 })).toHaveLength(2);
  expect(reads).toEqual([]);
});
