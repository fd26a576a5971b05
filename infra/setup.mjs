// Makes a fresh clone runnable: installs the locked packages and builds what is out of date, and does nothing, fast,
// when all is there.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeAnew } from './made-anew.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { runAsGroup } from './process-group.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const quiet = process.argv.includes('--quiet');
const builtStamp = join(root, 'node_modules', '.cache', 'orchard-built');

// like >=20.13, which npm asks too, but only where packages are installed
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const oldest = engines.node.replace('>=', '');
const [needsMajor, needsMinor] = oldest.split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < needsMajor || (major === needsMajor && minor < needsMinor)) {
  console.error(`Orchard needs Node ${oldest} or later; this is ${process.version}.`);
  process.exit(1);
}

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** The latest change among the files that a build reads. */
function newestSource(directory) {
  let newest = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'program', 'generated'].includes(entry.name)) continue;
    const path = join(directory, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestSource(path) : modified(path));
  }
  return newest;
}

async function run(what, command, args) {
  if (!quiet) console.error(`orchard: ${what} …`);
  const started = Date.now();
  // a package of an installation would tell a server of it, and first list all packages by npm
  const environment = { SCARF_ANALYTICS: 'false', ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
  const printed = [];
  const { code, isStopped } = await runAsGroup(
    command,
    args,
    { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' },
    (child) => [child.stdout, child.stderr].forEach((output) => output.on('data', (chunk) => printed.push(chunk))),
  );
  if (isStopped) process.exit(code);
  if (code !== 0) {
    console.error(String(Buffer.concat(printed)), `\norchard: ${what} failed (${command} ${args.join(' ')})`);
    process.exit(1);
  }
  if (!quiet) console.error(`orchard: ${what}: done in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

// npm writes its own record last, so an interrupted install is made again
const isInstalled = () =>
  modified(join(root, 'node_modules', '.package-lock.json')) >= modified(join(root, 'package-lock.json'));
const isBuilt = () =>
  modified(builtStamp) >
  Math.max(
    newestSource(join(root, 'libs')),
    newestSource(join(root, 'apps')),
    newestSource(join(root, 'infra/programs')),
    modified(join(root, 'tsconfig.base.json')),
  );

/** Where packages lie: in the clone, and in a lib or an app that has another version of one than the others. */
function packageFolders() {
  const foldersIn = (path) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(path, name));
  const own = [...foldersIn(join(root, 'libs')).flatMap(foldersIn), ...foldersIn(join(root, 'apps'))];
  const folders = own.map((path) => join(path, 'node_modules'));
  return [join(root, 'node_modules'), ...folders.filter((path) => existsSync(path) || existsSync(`${path}.before`))];
}

/** npm ci begins by removing all packages: they come back where it is stopped, as by Ctrl-C in pip install. */
async function install() {
  let make = () => run('installing packages', 'npm', ['ci', '--no-audit', '--no-fund']);
  for (const folder of packageFolders()) {
    const within = make;
    make = () => madeAnew(folder, `${folder}.before`, within);
  }
  await make();
}

async function setUp() {
  if (!isInstalled()) await install();
  if (isBuilt()) return;
  await run('building', 'npx', ['nx', 'run-many', '-t', 'build', '--outputStyle=static']);
  mkdirSync(dirname(builtStamp), { recursive: true });
  writeFileSync(builtStamp, '');
}

// two that install at once remove each other's packages
if (!isInstalled() || !isBuilt())
  await oneAtATime(root, setUp, () => {
    if (!quiet) console.error('orchard: waiting for another command that sets up this clone …');
  });
