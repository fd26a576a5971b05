// The scripts of the page that scores rows in the browser, and a small model with rows to try it with.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForBrowsers } from '../../../infra/programs/bundle-for-browsers.mjs';

const sources = fileURLToPath(new URL('../src/scoring/', import.meta.url));
const cli = fileURLToPath(new URL('../../cli/', import.meta.url));

/**
 * @param {string} folder for what is made
 * @returns {Promise<{ page: string, worker: string }>} the scripts, whose names change with what they are
 */
export async function scoringScripts(folder) {
  const options = { readsFiles: true, minify: true };
  const { files: pages } = await bundleForBrowsers(join(sources, 'page.tsx'), folder, {
    ...options,
    name: 'scoring-page.[hash].js',
  });
  const { files: workers } = await bundleForBrowsers(join(sources, 'worker.ts'), folder, {
    ...options,
    name: 'scoring-worker.[hash].js',
  });
  return { page: pages[0], worker: workers[0] };
}

/**
 * @param {string} folder for what is made
 * @param {{ smallModel?: boolean }} [options] whether it is trained for a moment, to see whether the site can be built
 * @returns files by their names on the site, and where the page finds them
 */
export async function scoringFiles(folder, { smallModel = false } = {}) {
  mkdirSync(folder, { recursive: true });
  const { page, worker } = await scoringScripts(folder);
  const run = join(folder, 'rentals');
  const train = [join(cli, 'program/main.js'), 'train', join(cli, 'examples/rentals.csv'), '--out', run];
  if (smallModel) train.push('--rounds', '3', '--leaves', '4', '--members', '1');
  execFileSync(process.execPath, [...train, '--threads', '1', '--no-report', '--quiet'], { stdio: 'pipe' });
  return {
    files: [
      [`assets/${page}`, join(folder, page)],
      [`assets/${worker}`, join(folder, worker)],
      ['try/rentals.msgpack', join(run, 'network.msgpack')],
      ['try/new-rentals.csv', join(cli, 'examples/new-rentals.csv')],
    ],
    places: {
      page: `/assets/${page}`,
      worker: `/assets/${worker}`,
      model: '/try/rentals.msgpack',
      rows: '/try/new-rentals.csv',
    },
  };
}
