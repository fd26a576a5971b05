// The Python package, with the command line inside: a wheel for every system, since nothing in it is compiled for one.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleCli } from './bundle.mjs';
import { licencesOf } from './licences.mjs';
import { cliManifest } from './manifests.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What of `libs/python/orchard-density` goes into it. */
const parts = ['pyproject.toml', 'README.md', 'src'];

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
  const cli = join(folder, 'src/orchard_density/cli');
  mkdirSync(join(cli, 'dist'), { recursive: true });
  const { sources } = await bundleCli(join(cli, 'dist'));
  const { name, version, type } = cliManifest();
  writeFileSync(join(cli, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), `${licencesOf(sources)}\n`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const wheels = join(folder, 'wheel');
  const words = ['-m', 'pip', 'wheel', folder, '--no-deps', '--quiet', '--wheel-dir', wheels];
  await promisify(execFile)(python, words, { env: { ...process.env, ORCHARD_VERSION: version } });
  const [wheel] = readdirSync(wheels);
  cpSync(join(wheels, wheel), join(out, wheel));
  return join(out, wheel);
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
