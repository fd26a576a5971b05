// The Python package, with the command line inside: a wheel for every system, since nothing in it is compiled for one.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleWholeCli } from './bundle.mjs';
import { licencesOf } from './licences.mjs';
import { cliManifest } from './manifests.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where {@link packWheel} finds none. */
export const needsPython = 'no Python with pip was found, which builds the wheel. Install Python 3.10 or later.';

/** What of `libs/python/orchard-density` goes into it. */
const parts = ['pyproject.toml', 'build_backend.py', 'README.md', 'src'];

/**
 * @param {string} folder to work in
 * @param {string} out
 * @returns {Promise<string | null>} the wheel; null where there is no Python with pip
 */
export async function packWheel(folder, out) {
  const python = await pythonWithPip();
  if (python === null) return null;
  const isSource = (path) => !['__pycache__', 'cli'].includes(basename(path));
  for (const part of parts)
    cpSync(join(root, 'libs/python/orchard-density', part), join(folder, part), { recursive: true, filter: isSource });
  await completeSources(folder);
  const wheels = join(folder, 'wheel');
  await promisify(execFile)(python, ['-m', 'pip', 'wheel', folder, '--no-deps', '--quiet', '--wheel-dir', wheels]);
  const [wheel] = readdirSync(wheels);
  cpSync(join(wheels, wheel), join(out, wheel));
  return join(out, wheel);
}

/**
 * Puts what is built and not kept beside the sources of the package: the command line with every kind of model, since
 * pip installs no package of npm beside it, whose version is that of the package, and the licences.
 *
 * @param {string} folder with the sources, as `libs/python/orchard-density`
 */
export async function completeSources(folder) {
  const cli = join(folder, 'src/orchard_density/cli');
  rmSync(cli, { recursive: true, force: true });
  mkdirSync(join(cli, 'dist'), { recursive: true });
  const { sources } = await bundleWholeCli(join(cli, 'dist'));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), `${licencesOf(sources)}\n`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  // last, so that what was interrupted is seen to be incomplete
  const { name, version, type } = cliManifest();
  writeFileSync(join(cli, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
}

/** The first on PATH that can build one. */
async function pythonWithPip() {
  for (const python of ['python3', 'python']) {
    try {
      await promisify(execFile)(python, ['-m', 'pip', '--version']);
      return python;
    } catch {
      // not there, or without pip
    }
  }
  return null;
}
