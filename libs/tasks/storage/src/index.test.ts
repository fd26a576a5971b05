import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The modules that one module imports, and those that they import: files by their addresses, others by name. */
function reachable(entry: string, from = import.meta.url, found = new Set<string>()): Set<string> {
  const isFile = /^\.{1,2}\//.test(entry);
  const module = isFile ? new URL(entry.replace(/\.js$/, '.ts'), from).href : entry;
  if (found.has(module)) return found;
  found.add(module);
  if (!isFile) return found;
  const source = readFileSync(new URL(module), 'utf8');
  for (const [, name] of source.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'/gm)) reachable(name!, module, found);
  return found;
}

test('the filesystem store is had without loading the AWS SDK', () => {
  const modules = [...reachable('./index.js')];
  expect(modules).toContain(new URL('./filesystem.ts', import.meta.url).href);
  expect(modules.filter((name) => !/^(file|node):/.test(name))).toEqual(['@orchard/refusal']);
  expect([...reachable('./s3.js')]).toContain('@aws-sdk/client-s3');
});
