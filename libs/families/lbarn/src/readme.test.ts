import { BitMatrix } from '@orchard/dataset';
import { registerDataset, runLocally, type LocalRun } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { folderOfTest } from '@orchard/storage/testing';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { lbarn, resolveRun } from './index.js';

test('the example of the README runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, imports, body] = /```ts\n((?:import .*\n)+)([\s\S]*?)```/.exec(readme)!;
  const scope = { BitMatrix, FilesystemStore, lbarn, registerDataset, resolveRun, runLocally };
  for (const name of imports!
    .match(/\{ .* \}/g)!
    .join(',')
    .match(/\w+/g)!)
    expect(scope).toHaveProperty(name);
  const example = new Function(
    ...Object.keys(scope),
    'folder',
    `return (async () => { ${body!} return { summary, network }; })()`,
  ) as (...values: unknown[]) => Promise<LocalRun>;
  const { summary, network } = await example(...Object.values(scope), folderOfTest());
  expect(summary.dataset.rows).toEqual({ train: 4, valid: 2, test: null });
  expect(summary.network.bytes).toBe(network.length);
});
