import { BitMatrix } from '@orchard/dataset';
import { FilesystemStore } from '@orchard/storage';
import { folderOfTest } from '@orchard/storage/testing';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadDataset, registerDataset, ThreadPool } from './index.js';

test('the example of the README runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, imports, body] = /```ts\n((?:import .*\n)+)([\s\S]*?)```/.exec(readme)!;
  const scope = { BitMatrix, FilesystemStore, loadDataset, registerDataset, ThreadPool };
  for (const name of imports!
    .match(/\{ .* \}/g)!
    .join(',')
    .match(/\w+/g)!)
    expect(scope).toHaveProperty(name);
  const folder = folderOfTest();
  const code = `return (async () => { ${body!} return { rows, squares }; })()`;
  const example = new Function(...Object.keys(scope), 'folder', code) as (
    ...values: unknown[]
  ) => Promise<{ rows: BitMatrix; squares: number[] }>;
  const { rows, squares } = await example(...Object.values(scope), folder);
  expect(rows.equals(BitMatrix.fromRows(['0011', '1100', '0011']))).toBe(true);
  expect(squares).toEqual([1, 4, 9]);
});
