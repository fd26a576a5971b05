import { BitMatrix } from '@orchard/dataset';
import { FilesystemStore } from '@orchard/storage';
import { folderOfTest } from '@orchard/storage/testing';
import { readdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { DatasetCache } from './dataset-cache.js';

/** Data sets whose bits say their number. */
const matrices = new Map(
  ['1', '2', '3'].map((digit) => {
    const matrix = BitMatrix.create(100, 64);
    for (let row = 0; row < 100; row++) matrix.set(row, Number(digit), true);
    return [digit, matrix];
  }),
);
const bytesOf = (digit: string): Uint8Array => new Uint8Array(matrices.get(digit)!.buffer);
const idOf = (digit: string): string => matrices.get(digit)!.contentHash();
const name = (digit: string): string => `datasets/${idOf(digit)}`;
const size = bytesOf('1').length;
let folder: string;
let store: FilesystemStore;
let reads: string[];
let failures: unknown[];

beforeEach(async () => {
  folder = folderOfTest();
  store = await FilesystemStore.open(join(folder, 'store'));
  for (const digit of ['1', '2', '3']) await store.put(name(digit), bytesOf(digit));
  reads = [];
  failures = [];
});

function open(bytes = 10 * size, directory = join(folder, 'cache')): DatasetCache {
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
  expect(first).toEqual(bytesOf('1'));
  expect(reads.splice(0)).toEqual(['store', 'cache']);
  const third = open();
  await third.get(name('3'));
  expect(third.cached.toSorted()).toEqual([idOf('1'), idOf('3')].toSorted());
  expect([await third.has(idOf('1')), await third.has(idOf('2'))]).toEqual([true, false]);
});

test('a file that is damaged is thrown away and fetched again', async () => {
  await open().get(name('1'));
  const [file] = await readdir(join(folder, 'cache'));
  await truncate(join(folder, 'cache', file!), size - 1);
  expect(await open().get(name('1'))).toEqual(bytesOf('1'));
  expect(await open().get(name('1'))).toEqual(bytesOf('1'));
  expect(reads).toEqual(['store', 'store', 'cache']);
  expect(await readdir(join(folder, 'cache'))).toEqual([file]);
});

test('what the store has damaged is not kept: it may be healed there', async () => {
  await store.delete(name('1'));
  await store.put(name('1'), bytesOf('2'));
  expect(await open().get(name('1'))).toEqual(bytesOf('2'));
  await store.delete(name('1'));
  await store.put(name('1'), bytesOf('1'));
  expect(await open().get(name('1'))).toEqual(bytesOf('1'));
});

test('the least recently used go when the limit is reached; what is larger than it is not kept', async () => {
  const cache = open(2.5 * size);
  await cache.get(name('1'));
  await cache.get(name('2'));
  const first = (await readdir(join(folder, 'cache'))).find((file) => file.startsWith(idOf('1')))!;
  await utimes(join(folder, 'cache', first), 1, 1);
  await cache.get(name('3'));
  const kept = (await readdir(join(folder, 'cache'))).map((file) => file.slice(0, 64)).sort();
  expect(kept).toEqual([idOf('2'), idOf('3')].sort());
  await open(size - 1, join(folder, 'small')).get(name('1'));
  await expect(readdir(join(folder, 'small'))).rejects.toThrow('ENOENT');
});

test('a cache that cannot be written is no cache, and says so', async () => {
  await writeFile(join(folder, 'file'), '');
  expect(await open(10 * size, join(folder, 'file')).get(name('1'))).toHaveLength(size);
  expect(failures).toHaveLength(1);
});

test.runIf(process.platform === 'linux')('nor is one in a folder that answers that it is not there', async () => {
  expect(await open(10 * size, '/proc/nope/cache').get(name('1'))).toHaveLength(size);
  expect(failures).toMatchObject([{ code: 'ENOENT' }]);
});

test('everything else goes to the store', async () => {
  const cache = open();
  await cache.put('runs/a', new Uint8Array([1]));
  expect(await cache.get('runs/a')).toEqual(new Uint8Array([1]));
  expect(await cache.get(name('1'), { start: 0, end: 2 })).toHaveLength(2);
  expect(reads).toEqual([]);
});
