import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { arrows, arrowsAgainst, below, importsOfLibs } from '../../infra/wings/imports.mjs';

const wings = readdirSync(join(import.meta.dirname, '../../libs')).filter((wing) => wing !== 'python');

test('the drawing of imports between the wings has no arrow against the rule', () => {
  expect(arrowsAgainst()).toEqual([]);
});

test('it has every wing, and follows from what is imported', () => {
  expect(Object.keys(below).sort()).toEqual([...wings, 'apps'].sort());
  const drawn = arrows();
  for (const wing of Object.keys(below).filter((one) => one !== 'core'))
    expect(drawn.some(({ from }) => from === wing)).toBe(true);
  const imports = [...importsOfLibs(), { from: 'core/model', to: 'families/registry', count: 1 }];
  expect(arrowsAgainst(arrows(imports))).toEqual([{ from: 'core', to: 'families', count: 1 }]);
});

test('a wing is drawn above all that those below it stand on', () => {
  for (const [wing, own] of Object.entries(below))
    for (const one of own) expect(below[one as keyof typeof below], `${wing} on ${one}`).not.toContain(wing);
});
