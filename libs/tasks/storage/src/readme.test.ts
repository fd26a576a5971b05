import { folderOfTest } from './testing.suite.js';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FilesystemStore, listAll } from './index.js';

test("the README's example does what it says", async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\nimport [^\n]*\n([^]*?)```/.exec(readme)![1]!;
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  const folder = folderOfTest();
  const run = new AsyncFunction(
    'FilesystemStore',
    'listAll',
    'folder',
    'bytes',
    `${example}; return { first, second, head, names };`,
  );
  expect(await run(FilesystemStore, listAll, folder, new Uint8Array([1, 2, 3, 4, 5]))).toEqual({
    first: 'created',
    second: 'exists',
    head: new Uint8Array([1, 2, 3, 4]),
    names: ['runs/7f/curves'],
  });
});
