// The folders of JavaScript that are published: the command line with its page, and the model alone.
import { cpSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import ts from 'typescript';
import { bundleProgram } from '../programs/bundle-program.mjs';
import { bundledOf, resolveWith } from '../programs/bundled.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = dirname(fileURLToPath(import.meta.url));

/**
 * The command line as the clone runs it, and the page of `orchard serve` as it was built beside it.
 *
 * @param {string} folder
 * @returns {Promise<import('../programs/bundled.mjs').Bundled>}
 */
export async function bundleCli(folder) {
  const bundled = await bundleProgram('cli', folder);
  cpSync(join(root, 'apps/dashboard/dist/page'), join(folder, 'page'), { recursive: true });
  // whose code is in the page
  const ofPage = ['preact', 'uplot'].map((name) => join(root, 'node_modules', name, 'package.json'));
  return { ...bundled, sources: [...bundled.sources, ...ofPage] };
}

/** In the place of Node's own modules, in what is packed for browsers. */
const inBrowsers = { 'node:crypto': join(here, 'model/hash.ts'), 'node:zlib': join(here, 'model/inflate.ts') };

/**
 * The model alone, in one file that browsers load as it is, and its types in another.
 *
 * @param {string} folder
 * @returns {Promise<import('../programs/bundled.mjs').Bundled>}
 */
export async function bundleModel(folder) {
  const entry = join(here, 'model/index.ts');
  const bundle = await rolldown({
    input: { index: entry },
    platform: 'browser',
    resolve: { ...resolveWith('browser'), alias: inBrowsers },
    // the readers of files lie beside what is taken, and want Node: nothing of them is left, or packing fails
    external: (name) => isBuiltin(name) && !Object.hasOwn(inBrowsers, name),
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
