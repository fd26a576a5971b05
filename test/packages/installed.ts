import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endOf, main, root, type Ended } from '../cli/orchard.js';

/** A folder that no package can be found from but by being installed into it. */
export async function emptyFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'orchard-packages-')));
}

/**
 * Without what npm and vitest set for the test's own process: only then is it what a user's shell would run. Which
 * certificates this machine trusts is not such a thing: npm waits for minutes where it believes no registry.
 */
const told = /^npm_|^NODE_(ENV|OPTIONS|PATH)$/i;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !told.test(name)));

/** Runs a program in a folder and waits for its end. */
export function runIn(folder: string, program: string, ...args: readonly string[]): Promise<Ended> {
  return endOf(program, args, { cwd: folder, env: environment });
}

/** As {@link runIn}, of what must not fail. @returns standard output */
export async function outputIn(folder: string, program: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runIn(folder, program, ...args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}: ${stdout}${stderr}`);
  return stdout;
}

/** What `npm run pack` writes: a package for npm, or the wheel. @returns the file */
export async function pack(folder: string, part: 'cli' | 'papers' | 'model' | 'python'): Promise<string> {
  const said = await outputIn(root, 'npm', 'run', '--silent', 'pack', '--', '--out', folder, '--only', part);
  return resolve(root, said.trim());
}

/** `npm install --global` into a prefix of its own. @returns the command */
export async function installGlobally(folder: string, file: string): Promise<string> {
  const prefix = join(folder, 'prefix');
  await mkdir(prefix);
  await outputIn(folder, 'npm', 'install', '--global', '--prefix', prefix, file);
  return join(prefix, 'bin', 'orchard');
}

/** `npm install --global` of one more package, into the prefix of the command. */
export async function installBeside(folder: string, file: string): Promise<void> {
  await outputIn(folder, 'npm', 'install', '--global', '--prefix', join(folder, 'prefix'), file);
}

/** A new folder with a user's package, and this one installed in it. */
export async function installInto(folder: string, file: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await outputIn(folder, 'npm', 'install', file);
}

/** The same command line by the clone's build. */
export const clone = (folder: string, ...args: readonly string[]): Promise<string> =>
  outputIn(folder, process.execPath, main, ...args);

/** All files below a folder by their paths in it. */
export function filesOf(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile()).sort();
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]));
}
