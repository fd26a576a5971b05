import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The modules that one module imports, and those that they import. */
function reachable(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  if (!entry.startsWith('./')) return found;
  const source = readFileSync(new URL(entry.replace(/\.js$/, '.ts'), import.meta.url), 'utf8');
  for (const [, name] of source.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'/gm)) reachable(name!, found);
  return found;
}

test('the filesystem store is had without loading the AWS SDK', () => {
  const modules = [...reachable('./index.js')];
  expect(modules).toContain('./filesystem.js');
  expect(modules.filter((name) => !name.startsWith('./') && !name.startsWith('node:'))).toEqual(['@orchard/refusal']);
  expect([...reachable('./s3.js')]).toContain('@aws-sdk/client-s3');
});
