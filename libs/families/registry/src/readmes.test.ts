import { boosted } from '@orchard/boosted';
import { compositional } from '@orchard/compositional';
import { BitMatrix } from '@orchard/dataset';
import { partition } from '@orchard/partition';
import { registerDataset, runLocally } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { folderOfTest } from '@orchard/storage/testing';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const scope = { boosted, compositional, partition, BitMatrix, registerDataset, runLocally, FilesystemStore };

test.each(['boosted', 'compositional', 'partition'])(
  'the example of the README of %s gives the figures in its remarks',
  async (name) => {
    const readme = await readFile(new URL(`../../${name}/README.md`, import.meta.url), 'utf8');
    const [, imports, body] = /```ts\n((?:import .*\n)+)([\s\S]*?)```/.exec(readme)!;
    for (const [, imported] of imports!.matchAll(/\{ (.*) \}/g))
      for (const word of imported!.split(', ')) expect(scope).toHaveProperty(word);
    const remarks = [...body!.matchAll(/const (\w+) = .*; \/\/ ([\d.]+)/g)];
    expect(remarks).toHaveLength(2);
    const folder = folderOfTest();
    const code = `return (async () => { ${body!} return [${remarks.map(([, figure]) => figure).join(', ')}]; })()`;
    const example = new Function(...Object.keys(scope), 'folder', code) as (...values: unknown[]) => Promise<number[]>;
    const figures = await example(...Object.values(scope), folder);
    expect(figures.map((figure) => Number(figure.toFixed(4)))).toEqual(remarks.map(([, , said]) => Number(said)));
  },
);
