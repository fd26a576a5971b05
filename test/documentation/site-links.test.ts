import { temporaryFolder } from '@orchard/storage/testing';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenLinks } from '../../apps/docs/generate/links.mjs';

const folder = temporaryFolder();
const write = (page: string, text: string): void => {
  mkdirSync(join(folder, page, '..'), { recursive: true });
  writeFileSync(join(folder, page), text);
};

describe('links of the built site', () => {
  it('are found where a page or an anchor is missing, and nowhere else', () => {
    write(
      'index.html',
      '<h1 id="top">x</h1><a href="/how-to/find#worst">a</a><a href="./how-to/#none">b</a><a href="/gone">c</a>',
    );
    write('how-to/find.html', '<h2 id="worst">y</h2><a href="../#top">d</a><a href="https://example.org/x">e</a>');
    write('how-to/index.html', '<img src="/picture.png">');
    expect(brokenLinks(folder)).toEqual(
      expect.arrayContaining([
        { page: 'index.html', link: './how-to/#none' },
        { page: 'index.html', link: '/gone' },
        { page: 'how-to/index.html', link: '/picture.png' },
      ]),
    );
    expect(brokenLinks(folder)).toHaveLength(3);
  });
});
