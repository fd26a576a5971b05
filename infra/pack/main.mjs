// npm run pack: the packages that would be published, as files that npm installs.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readCommandLine, runPlainly } from '../command-line.mjs';
import { bundleCli, bundleModel } from './bundle.mjs';
import { licencesOf } from './licences.mjs';
import { cliManifest, isRepositoryKnown, modelManifest, papersManifest } from './manifests.mjs';
import { bundlePapers } from './papers.mjs';
import { needsPython, packWheel } from './wheel.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const usage = `npm run pack -- [--out DIR] [--only LIST]

Writes the packages that would be published as files:
  orchard-cli-VERSION.tgz       @orchard/cli, the command line: npm install --global FILE, then orchard --help
  orchard-papers-VERSION.tgz    @orchard/papers, kinds of models of papers for the command line of the same release: npm install --global FILE
  orchard-model-VERSION.tgz     @orchard/model, which reads and asks models, in Node and in browsers: npm install FILE
  orchard_density-VERSION-py3-none-any.whl   orchard-density for Python: pip install FILE; it is built by pip and hatchling

  --out DIR     where to, made where it is not there (default dist, at the top of the clone); same names are replaced
  --only LIST   some of cli,papers,model,python (default: all, without the wheel where there is no Python with pip)
  --help        this

Nothing is published. Each line on standard output is a file that was written. .github/CONTRIBUTING.md says how a release is made.`;

const line = readCommandLine('pack', usage, { out: { type: 'string' }, only: { type: 'string' } });
const { values } = line;
const wanted = line.someOf('only', ['cli', 'papers', 'model', 'python']);

const packages = [
  { part: 'cli', manifest: cliManifest(), bundle: bundleCli, complete: addManual },
  { part: 'papers', manifest: papersManifest(), bundle: bundlePapers },
  { part: 'model', manifest: modelManifest(), bundle: bundleModel },
].filter(({ part }) => wanted.includes(part));

await runPlainly('pack', async () => {
  const out = resolve(values.out ?? join(root, 'dist'));
  makeFolder(out);
  // inside the clone, where the declarations of the libs are found from
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const staging = mkdtempSync(join(cache, 'orchard-pack-'));
  try {
    for (const each of packages) tell(each.manifest, await pack(each, join(staging, each.part), out));
    if (wanted.includes('python')) {
      const wheel = await packWheel(join(staging, 'python'), out);
      if (wheel !== null) tell({ ...cliManifest(), name: 'orchard-density' }, wheel);
      else if (values.only === undefined) console.error('pack: no Python with pip was found: there is no wheel.');
      else throw new Error(needsPython);
    }
  } finally {
    rmSync(staging, { recursive: true });
  }
  if (!isRepositoryKnown) {
    console.error(
      'pack: package.json has no `repository`, so neither have the packages: write it there before anything is published.',
    );
  }
});

function tell({ name, version }, file) {
  console.error(`pack: ${name} ${version}, ${(statSync(file).size / 1e6).toFixed(2)} MB`);
  console.log(relative(process.cwd(), file) || file);
}

/** Makes one package and its file, whose name it gives. */
async function pack({ part, manifest, bundle, complete }, folder, out) {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const { sources } = await bundle(join(folder, 'dist'), manifest.version);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), `${licencesOf(sources)}\n`);
  cpSync(join(root, 'infra/pack', part, 'README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await complete?.(folder);
  const args = ['pack', folder, '--pack-destination', out, '--ignore-scripts', '--json'];
  const { stdout } = await promisify(execFile)('npm', args, { shell: process.platform === 'win32' });
  const told = JSON.parse(stdout);
  // by name since npm 12, a list before
  const [{ filename }] = Array.isArray(told) ? told : Object.values(told);
  return join(out, filename);
}

/** The manual pages, as the command that is packed prints them, and their names in its package.json. */
async function addManual(folder) {
  await promisify(execFile)(process.execPath, [join(folder, 'dist/main.js'), 'man', '--out', join(folder, 'man')]);
  const pages = readdirSync(join(folder, 'man')).map((name) => `man/${name}`);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(cliManifest(pages), null, 2)}\n`);
}

function makeFolder(path) {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    // not with its parents: in /proc, Node's mkdir tries that without end
    mkdirSync(path);
  } catch (error) {
    throw new Error(`cannot make the folder ${path} (${error.code}). Give another by --out.`, { cause: error });
  }
}
