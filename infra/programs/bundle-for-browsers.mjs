// One file that browsers load as it is, from TypeScript of the workspace.
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { bundledOf, resolveWith } from './bundled.mjs';

const here = join(dirname(fileURLToPath(import.meta.url)), 'browser');

/** In the place of Node's own modules. */
const inBrowsers = { 'node:crypto': join(here, 'crypto.ts'), 'node:zlib': join(here, 'zlib.ts') };

/** In the place of what only reads files on a disk, where the bytes come from elsewhere. */
const withoutDisk = Object.fromEntries(
  ['node:fs', 'node:fs/promises', 'node:os', 'node:path', 'node:stream', 'node:stream/promises'].map((name) => [
    name,
    join(here, 'no-disk.ts'),
  ]),
);

/**
 * @param {string} entry
 * @param {string} folder
 * @param {{ name?: string, readsFiles?: boolean, minify?: boolean }} [options] `name` of the file, in which `[hash]`
 *   may stand; `readsFiles` where texts are read that the page has the bytes of
 * @returns {Promise<import('./bundled.mjs').Bundled>}
 */
export async function bundleForBrowsers(entry, folder, { name = 'index.js', readsFiles = false, minify = false } = {}) {
  const instead = readsFiles ? { ...inBrowsers, ...withoutDisk, 'node:buffer': join(here, 'buffer.ts') } : inBrowsers;
  const bundle = await rolldown({
    input: { index: entry },
    platform: 'browser',
    resolve: { ...resolveWith('browser'), alias: instead },
    // the readers of files lie beside what is taken, and want Node: nothing of them is left, or bundling fails
    external: (module) => isBuiltin(module) && !Object.hasOwn(instead, module),
    treeshake: { moduleSideEffects: false },
    // of what is not there, nothing is called
    shimMissingExports: readsFiles,
    onLog: (level, log, handle) => void (log.code === 'SHIMMED_EXPORT' || handle(level, log)),
    ...(readsFiles && { transform: { inject: { Buffer: [join(here, 'buffer.ts'), 'Buffer'] } } }),
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    codeSplitting: false,
    entryFileNames: name,
    minify,
  });
  await bundle.close();
  const bundled = bundledOf(output);
  if (bundled.imports.length > 0)
    throw new Error(`${bundled.files[0]} imports ${bundled.imports.join(', ')}, which browsers lack`);
  return bundled;
}
