import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { builtPage, pageHeaders, readPage } from './page-files.js';

test('a page that lies beside a program is found and read whole; what has no type of a page is left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orchard-page-'));
  try {
    const program = pathToFileURL(join(folder, 'main.js')).href;
    await mkdir(join(folder, 'page/assets'), { recursive: true });
    await writeFile(join(folder, 'page/index.html'), '<!doctype html>');
    await writeFile(join(folder, 'page/assets/index-1.js'), 'export {};');
    await writeFile(join(folder, 'page/secret.env'), 'TOKEN=1');
    const page = readPage(builtPage(program)!);
    expect([...page.keys()].sort()).toEqual(['/', '/assets/index-1.js']);
    const [html, script] = [page.get('/')!, page.get('/assets/index-1.js')!];
    expect(String(gunzipSync(html.gzip))).toBe('<!doctype html>');
    expect(pageHeaders(html)).toMatchObject({ 'Cache-Control': 'no-cache' });
    expect(pageHeaders(script)).toMatchObject({ 'Cache-Control': 'public, max-age=31536000, immutable' });
    expect(pageHeaders(script)['Content-Security-Policy']).toMatch(/^default-src 'none'; script-src 'self';/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
