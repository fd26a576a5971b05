// One folder of JavaScript without a workspace: from the sources of the apps and libs, with the packages that they use.
import { cpSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import ts from 'typescript';
import { threadModules } from './thread-modules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = dirname(fileURLToPath(import.meta.url));

const resolveWith = (...conditions) => ({
  conditionNames: ['@orchard/source', ...conditions, 'import', 'default'],
  extensionAlias: { '.js': ['.ts', '.js'] },
});

/**
 * The command line: `main.js`, an entry for each module that threads are started with, and what these share.
 *
 * @param {string} folder
 * @returns {Promise<Bundled>}
 */
export async function bundleCli(folder) {
  const bundle = await rolldown({
    input: { main: join(root, 'apps/cli/src/main.ts') },
    platform: 'node',
    external: [/^node:/],
    resolve: resolveWith('node'),
    plugins: [threadModules()],
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    banner: ({ fileName }) => (fileName === 'main.js' ? '#!/usr/bin/env node' : ''),
    chunkFileNames: ({ moduleIds }) => `${nameOf(moduleIds.at(-1))}.js`,
  });
  await bundle.close();
  checkThreads(output);
  // the page of `orchard serve`, as it was built, and whose code is in it
  cpSync(join(root, 'apps/dashboard/dist/page'), join(folder, 'page'), { recursive: true });
  const ofPage = ['preact', 'uplot'].map((name) => join(root, 'node_modules', name, 'package.json'));
  const bundled = bundledOf(output);
  return { ...bundled, sources: [...bundled.sources, ...ofPage] };
}

/**
 * The model alone, in one file that browsers load as it is, and its types in another.
 *
 * @param {string} folder
 * @returns {Promise<Bundled>}
 */
export async function bundleModel(folder) {
  const entry = join(here, 'model/index.ts');
  const bundle = await rolldown({
    input: { index: entry },
    platform: 'browser',
    resolve: { ...resolveWith('browser'), alias: { 'node:crypto': join(here, 'model/hash.ts') } },
    // the readers of files lie beside what is taken, and want Node: nothing of them is left, or packing fails
    external: (name) => isBuiltin(name) && name !== 'node:crypto',
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.write({ dir: folder, format: 'esm', codeSplitting: false });
  await bundle.close();
  const bundled = bundledOf(output);
  if (bundled.imports.length > 0)
    throw new Error(`index.js imports ${bundled.imports.join(', ')}, which browsers lack`);

  const declaration = join(folder, 'entry.d.ts');
  await writeFile(declaration, ts.transpileDeclaration(await readFile(entry, 'utf8'), { fileName: entry }).outputText);
  const types = await rolldown({
    input: { index: declaration },
    resolve: { conditionNames: ['types', 'import', 'default'] },
    plugins: [dts({ dtsInput: true })],
  });
  await types.write({ dir: folder, format: 'esm' });
  await types.close();
  await rm(declaration);
  return bundled;
}

/** What a file of several modules is called, so that a stack can be read: lib and file, or the package. */
function nameOf(module = 'shared') {
  const [, own, file] = /(?:libs|apps)\/([^/]+)\/src\/(?:.*\/)?([^/]+)\.ts$/.exec(module) ?? [];
  if (own !== undefined) return `${own}-${file}`;
  const [, scope, name] = /.*node_modules\/(?:@([^/]+)\/)?([^/]+)/.exec(module) ?? [];
  return [scope, name ?? '[name]'].filter(Boolean).join('-');
}

/**
 * @typedef {object} Bundled
 * @property {readonly string[]} imports of what is not in the folder
 * @property {readonly string[]} sources the files that something was taken from
 */

/** @returns {Bundled} */
function bundledOf(output) {
  const chunks = output.filter(({ type }) => type === 'chunk');
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  const sources = chunks.flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])),
  );
  return { imports: [...new Set(imports)].filter((name) => !own.has(name)), sources: [...new Set(sources)] };
}

/** A thread that reached `main.js` would run the command line once more, and one whose exports were renamed would find no computation. */
function checkThreads(output) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  if (chunks.size !== output.length) throw new Error('two files of the bundle have one name');
  const entries = output.filter(({ fileName }) => fileName.startsWith('thread-'));
  if (entries.length === 0) throw new Error('no module for threads was found: training would have none to run');
  for (const { fileName, isEntry, exports } of entries) {
    if (!isEntry || (fileName.endsWith('-computations.js') && !exports.includes('computations')))
      throw new Error(`${fileName} exports ${exports.join(', ') || 'nothing'}, expected what threads ask for`);
    const reached = new Set([fileName]);
    for (const name of reached) {
      const chunk = chunks.get(name);
      for (const next of [...(chunk?.imports ?? []), ...(chunk?.dynamicImports ?? [])]) reached.add(next);
    }
    if (reached.has('main.js')) throw new Error(`${fileName} imports main.js, which a thread must not run`);
  }
}
