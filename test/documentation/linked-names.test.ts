import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../cli/orchard.js';

const COMMENT = /\/\*\*[^]*?\*\//g;
const LINK = /\{@link\s+([\w$]+)/g;

/** `npm run docs:api` asks more, nightly: that the name can be linked to from where it stands. */
it('comments link to names that their lib has', () => {
  const listed = execFileSync('git', ['ls-files', 'libs/*/*/src/*.ts'], { cwd: root, encoding: 'utf8' });
  const links: { readonly file: string; readonly lib: string; readonly name: string }[] = [];
  const code = new Map<string, string>();
  for (const file of listed.trim().split('\n')) {
    const text = readFileSync(join(root, file), 'utf8');
    const [lib] = /^libs\/[^/]+\/[^/]+/.exec(dirname(file))!;
    code.set(lib, (code.get(lib) ?? '') + text.replace(COMMENT, ''));
    for (const [, name] of text.matchAll(LINK)) links.push({ file, lib, name: name! });
  }
  expect(links.length).toBeGreaterThan(100);
  const words = new Map([...code].map(([lib, text]) => [lib, new Set(text.match(/[\w$]+/g))]));
  expect(links.filter(({ lib, name }) => !words.get(lib)!.has(name))).toEqual([]);
});
