import { temporaryFolder } from './testing.suite.js';
import { execFileSync } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FilesystemStore, readWholeFile } from './index.js';

const folder = temporaryFolder();

test('a file is read whole, and so is an empty one', async () => {
  const path = join(folder, 'plain');
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at * 7);
  await writeFile(path, bytes);
  expect(Buffer.compare(await readWholeFile(path), bytes)).toBe(0);
  await writeFile(path, '');
  expect(await readWholeFile(path)).toHaveLength(0);
  await expect(readWholeFile(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(readWholeFile(folder)).rejects.toMatchObject({ code: 'EISDIR' });
});

test.skipIf(process.platform === 'win32')('a pipe is read to its end', async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const [read] = await Promise.all([readWholeFile(path), writeFile(path, 'chestnut')]);
  expect(new TextDecoder().decode(read)).toBe('chestnut');
});

// files of holes, which take no room on disk
test('what no array holds is refused in words, as a file and as an object', async () => {
  const refusal = {
    code: 'unsupported',
    retryable: false,
    got: '4294967297 bytes',
    expected: 'at most 4294967296 (4 GiB) to be read in one piece',
  };
  const root = join(folder, 'store');
  const store = await FilesystemStore.open(root);
  await store.put('large', new Uint8Array(1));
  await truncate(join(root, 'large'), 2 ** 32 + 1);
  await expect(readWholeFile(join(root, 'large'))).rejects.toMatchObject(refusal);
  await expect(store.get('large')).rejects.toMatchObject({ ...refusal, where: 'large' });
  expect(await store.get('large', { start: 2 ** 32, end: 2 ** 33 })).toEqual(new Uint8Array(1));
});

test('other bytes of the same size are told apart wherever they differ, a piece at a time', async () => {
  const store = await FilesystemStore.open(join(folder, 'compared'));
  const bytes = new Uint8Array(2 ** 26 + 5);
  await store.put('large', bytes);
  expect(await store.put('large', bytes)).toBe('exists');
  for (const at of [2 ** 26 - 1, 2 ** 26]) {
    bytes[at] = 1;
    await expect(store.put('large', bytes)).rejects.toMatchObject({ code: 'conflict' });
    bytes[at] = 0;
  }
});
