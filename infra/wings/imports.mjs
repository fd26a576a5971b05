// Which wing imports which: a wing is a folder of libs/, and apps/. What is read are the sources, without tests.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * The wings that a lib of each may import from, beside its own. The linter holds lib by lib to the same table
 * (infra/eslint.config.mjs).
 */
export const below = {
  core: [],
  learning: ['core'],
  tasks: ['core'],
  families: ['core', 'learning', 'tasks'],
  papers: ['core', 'learning', 'tasks', 'families'],
  analysis: ['core', 'learning', 'tasks', 'families'],
  cluster: ['core', 'tasks', 'families'],
  serving: ['core', 'tasks', 'families', 'analysis'],
  apps: ['core', 'tasks', 'families', 'analysis', 'cluster', 'serving'],
};

/** The one door against an arrow: the registry asks for the package of papers, which need not be there. */
export const doors = [{ from: 'families/registry', to: 'papers/papers' }];

/** Every import of another lib: `from` and `to` as `core/model`, apps as `apps/cli`; `count` places. */
export function importsOfLibs() {
  const places = libs();
  const counts = new Map();
  for (const [name, place] of places)
    for (const file of sourcesOf(join(root, place === `apps/${name}` ? place : `libs/${place}`, 'src')))
      for (const [, other] of readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?'@orchard\/([\w-]+)/g)) {
        const to = places.get(other);
        if (to === undefined || to === place) continue;
        const key = `${place} ${to}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  return [...counts].map(([key, count]) => {
    const [from, to] = key.split(' ');
    return { from, to, count };
  });
}

/** Arrows between wings, with the number of imports that each stands for; those within a wing are left out. */
export function arrows(imports = importsOfLibs()) {
  const found = new Map();
  for (const { from, to, count } of imports) {
    const [a, b] = [wingOf(from), wingOf(to)];
    if (a === b || doors.some((door) => door.from === from && door.to === to)) continue;
    found.set(`${a} ${b}`, (found.get(`${a} ${b}`) ?? 0) + count);
  }
  return [...found]
    .map(([key, count]) => {
      const [from, to] = key.split(' ');
      return { from, to, count };
    })
    .sort((a, b) => (a.from + a.to < b.from + b.to ? -1 : 1));
}

/** The arrows that the table does not allow. */
export const arrowsAgainst = (all = arrows()) => all.filter(({ from, to }) => !below[from].includes(to));

const wingOf = (place) => place.split('/')[0];

/** Places of the packages by their names. */
function libs() {
  const folders = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const wings = folders('libs').filter((wing) => wing in below);
  return new Map([
    ...wings.flatMap((wing) => folders(`libs/${wing}`).map((lib) => [lib, `${wing}/${lib}`])),
    ...folders('apps').map((app) => [app, `apps/${app}`]),
  ]);
}

function sourcesOf(folder) {
  try {
    return readdirSync(folder, { recursive: true })
      .filter((file) => /\.tsx?$/.test(file) && !/\.(test|suite)\./.test(file))
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}
