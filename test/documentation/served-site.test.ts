import { temporaryFolder } from '@orchard/storage/testing';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileOf, serveSite } from '../../apps/docs/serve.mjs';

const site = temporaryFolder();
mkdirSync(join(site, 'how-to'));
writeFileSync(join(site, 'index.html'), 'home');
writeFileSync(join(site, '404.html'), 'no such page');
writeFileSync(join(site, 'how-to/cite.html'), 'cite');

it('the served site has pages by their names and its own page for others, and nothing beside the site', async () => {
  const { address, close } = await serveSite(site);
  try {
    const of = async (path: string) => {
      const answer = await fetch(new URL(path, address));
      return [answer.status, await answer.text()];
    };
    expect(await of('/')).toEqual([200, 'home']);
    expect(await of('/how-to/cite')).toEqual([200, 'cite']);
    expect(await of('/how-to/none')).toEqual([404, 'no such page']);
  } finally {
    close();
  }
  for (const out of ['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/%'])
    expect(fileOf(join(site, 'how-to'), out)).toBe(null);
});
