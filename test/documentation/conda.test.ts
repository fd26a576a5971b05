import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../cli/orchard.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Recipe {
  readonly package: { readonly name: string; readonly version: string };
  readonly build: { readonly noarch: string };
  readonly requirements: { readonly run: readonly string[] };
  readonly about: { readonly license: string; readonly summary: string };
}

it('the recipe of conda-forge is of this version, and needs what the Python package needs', () => {
  const text = read('infra/conda/meta.yaml');
  const version = /set version = "([^"]+)"/.exec(text)![1]!;
  // what conda-build fills in
  const filled = text
    .replace(/^\{%.*%\}$/m, '')
    .replace(/\{\{ (\w+) \}\}/g, (_, name: string) => (name === 'version' ? version : name));
  const recipe = parse(filled) as Recipe;
  const project = read('libs/python/orchard-density/pyproject.toml');
  const [, list = ''] = /^dependencies = \[(.*)\]$/m.exec(project)!;
  const needed = [...list.matchAll(/"([\w-]+)>=([\d.]+)"/g)].map(([, name, from]) => `${name} >=${from}`);
  expect(recipe.package).toEqual({ name: 'orchard-density', version });
  expect(version).toBe((JSON.parse(read('apps/cli/package.json')) as { version: string }).version);
  expect(recipe.build.noarch).toBe('python');
  expect(needed).toHaveLength(2);
  // conda-forge's names
  const names = needed.map((one) => one.replace(/^msgpack /, 'msgpack-python '));
  expect(recipe.requirements.run).toEqual(expect.arrayContaining(names));
  expect(recipe.about.summary).toBe(/^description = "(.*)"$/m.exec(project)![1]);
  expect(recipe.about.license).toBe(/^license = "(.*)"$/m.exec(project)![1]);
});
