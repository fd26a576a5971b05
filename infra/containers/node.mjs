import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** The Node of the images, as the Dockerfile says. */
export function nodeOfImages() {
  const dockerfile = readFileSync(new URL('../docker/Dockerfile', import.meta.url), 'utf8');
  const version = /^ARG NODE_VERSION=([\d.]+)-/m.exec(dockerfile)?.[1];
  if (version === undefined) throw new Error('infra/docker/Dockerfile has no line ARG NODE_VERSION=.');
  return version;
}

/**
 * Node's own binary for this machine, or for another processor, from npm, once.
 *
 * @param {string} cache
 * @param {string} version
 * @param {string} [processor]
 * @returns {Promise<string>} its path
 */
export async function getNode(cache, version, processor = process.arch) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${processor}`;
  const isOwn = processor === process.arch;
  const folder = join(cache, isOwn ? `node-${version}` : `node-${version}-${processor}`);
  await installOnce(folder, `${name}@${version}`, isOwn ? [] : ['--force', `--cpu=${processor}`]);
  return join(folder, 'node_modules', name, 'bin', 'node');
}

/**
 * npm's own package, once.
 *
 * @param {string} cache
 * @param {string} version
 * @returns {Promise<string>} its folder
 */
export async function getNpm(cache, version) {
  const folder = join(cache, `npm-${version}`);
  await installOnce(folder, `npm@${version}`);
  return join(folder, 'node_modules', 'npm');
}

/** @param {string} folder @param {string} wanted @param {string[]} [flags] */
async function installOnce(folder, wanted, flags = []) {
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return;
  mkdirSync(folder, { recursive: true });
  // the clone's own .npmrc would refuse what asks for another Node
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--engine-strict=false'];
  await run('npm', ['install', '--prefix', folder, ...quietly, ...flags, wanted], { cwd: folder });
  writeFileSync(complete, '');
}
