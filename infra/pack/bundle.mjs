// The folders of JavaScript that are published: the command line with its page, with the kinds of models of papers or
// without, and the model alone.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import ts from 'typescript';
import { bundleProgram } from '../programs/bundle-program.mjs';
import { bundleForBrowsers } from '../programs/bundle-for-browsers.mjs';
import { bundleCliAndPapers } from './papers.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = dirname(fileURLToPath(import.meta.url));

/**
 * The command line as the clone runs it, with the kinds of models of papers, and the page of `orchard serve` as it was
 * built beside it.
 *
 * @param {string} folder
 * @returns {Promise<import('../programs/bundled.mjs').Bundled>}
 */
export async function bundleWholeCli(folder) {
  return withPage(folder, await bundleProgram('cli', folder));
}

/**
 * The same without the kinds of models of papers, which are looked for in `@orchard/papers`.
 *
 * @param {string} folder
 * @param {string} version
 * @returns {Promise<import('../programs/bundled.mjs').Bundled>}
 */
export async function bundleCli(folder, version) {
  const papers = mkdtempSync(join(dirname(folder), 'papers-of-cli-'));
  try {
    const { cli } = await bundleCliAndPapers(folder, papers, version);
    return withPage(folder, cli);
  } finally {
    rmSync(papers, { recursive: true });
  }
}

function withPage(folder, bundled) {
  cpSync(join(root, 'apps/dashboard/dist/page'), join(folder, 'page'), { recursive: true });
  // whose code is in the page
  const ofPage = ['preact', 'uplot'].map((name) => join(root, 'node_modules', name, 'package.json'));
  return { ...bundled, sources: [...bundled.sources, ...ofPage] };
}

/**
 * The model alone, in one file that browsers load as it is, and its types in another.
 *
 * @param {string} folder
 * @returns {Promise<import('../programs/bundled.mjs').Bundled>}
 */
export async function bundleModel(folder) {
  const entry = join(here, 'model/index.ts');
  const bundled = await bundleForBrowsers(entry, folder);
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
