import { temporaryFolder } from '@orchard/storage/testing';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { unanswered } from '../../apps/docs/search.mjs';

const folder = temporaryFolder();
mkdirSync(join(folder, 'assets/chunks'), { recursive: true });

// as VitePress writes it
const { resolve } = createRequire(createRequire(import.meta.url).resolve('vitepress'));
const { default: MiniSearch } = (await import(pathToFileURL(resolve('minisearch')).href)) as {
  default: new (options: object) => { addAll(pages: readonly object[]): void };
};

function write(pages: readonly (readonly [id: string, title: string, text: string])[]): void {
  const index = new MiniSearch({ fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] });
  index.addAll(pages.map(([id, title, text]) => ({ id, title, titles: [], text })));
  const text = JSON.stringify(JSON.stringify(index));
  writeFileSync(join(folder, 'assets/chunks/@localSearchIndexroot.js'), `export default ${text};`);
}

it('a question whose page is not among the first three hits is named, with what is found instead', async () => {
  write([
    ['/how-to/use-r.html#use-r', 'Use R', 'R and Orchard exchange tables.'],
    ['/measured/a.html#rows', 'Rows of a run', 'ready, really rare rows of a run that is repeated'],
    ['/measured/b.html#cite', 'Citations', 'cite cite cite'],
    ['/how-to/cite.html#cite', 'Cite Orchard', 'Name the version.'],
  ]);
  const asked = [
    ['R', '/how-to/use-r.html'],
    ['cite', '/how-to/cite.html'],
    ['rare rows', '/how-to/cite.html'],
  ] as const;
  expect(await unanswered(folder, asked)).toEqual([
    { question: 'rare rows', wanted: '/how-to/cite.html', hits: ['/measured/a.html#rows'] },
  ]);
});
