import { BitMatrix } from '@orchard/dataset';
import { registerDataset, runLocally } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { partition } from './index.js';

test('the example of the README runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, imports, body] = /```ts\n((?:import .*\n)+)([\s\S]*?)```/.exec(readme)!;
  const scope = { partition, BitMatrix, registerDataset, runLocally, FilesystemStore };
  for (const name of imports!
    .match(/\{ .* \}/g)!
    .join(',')
    .match(/\w+/g)!)
    expect(scope).toHaveProperty(name);
  const folder = await mkdtemp(join(tmpdir(), 'orchard-readme-'));
  const code = `return (async () => { ${body!} return [count, rate]; })()`;
  const example = new Function(...Object.keys(scope), 'folder', code) as (...values: unknown[]) => Promise<number[]>;
  const said = [...body!.matchAll(/; \/\/ ([\d.]+)/g)].map(([, figure]) => Number(figure));
  const [count, rate] = await example(...Object.values(scope), folder);
  expect(said).toEqual([count, Number(rate!.toFixed(4))]);
  await rm(folder, { recursive: true });
});
