// Kubernetes' own programs, built from the Go proxy: API server, controllers and scheduler, once, into the cache.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isExecutable, onPath } from '../servers/environment.mjs';
import { run } from '../containers/run.mjs';

const version = '1.32.3';
const programs = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

/**
 * @param {string} cache
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the folder with the programs
 */
export async function getControlPlane(cache, say) {
  const folder = join(cache, `kubernetes-${version}`);
  const bin = join(folder, 'bin');
  const missing = programs.filter((program) => !isExecutable(join(bin, program)));
  if (missing.length === 0) return bin;
  const go = goProgram();
  const source = join(folder, 'source');
  mkdirSync(source, { recursive: true });
  await writeModule(go, source, say);
  for (const program of missing) {
    say(
      `building ${program} ${version}: once; the first of the three takes about ten minutes of one core, each other two`,
    );
    const env = { ...process.env, CGO_ENABLED: '0' };
    const flags = ['-trimpath', `-ldflags=-s -w ${versionFlags()}`, '-o', join(bin, program)];
    await run(go, ['build', ...flags, `k8s.io/kubernetes/cmd/${program}`], { cwd: source, env });
  }
  return bin;
}

/**
 * The folder of a Go module, whose manifests are read.
 *
 * @param {string} module
 * @param {string} of its version
 * @returns {Promise<string>}
 */
export async function getModule(module, of) {
  return JSON.parse(await run(goProgram(), ['mod', 'download', '-json', `${module}@${of}`], { cwd: '/' })).Dir;
}

/** What Kubernetes' own build writes into its programs; a chart asks for it. */
function versionFlags() {
  const [major, minor] = version.split('.');
  const facts = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  return Object.entries(facts)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(' ');
}

function goProgram() {
  const go = onPath('go') ?? (isExecutable('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : null);
  if (!go) throw new Error('There is no Go to build Kubernetes with. Install Go 1.24 or later.');
  return go;
}

/**
 * A module that needs k8s.io/kubernetes. That module replaces its libraries by folders of its own repository, which a
 * module that needs it does not see: here they are replaced by the same libraries as they were published, v0.32.3 of
 * v1.32.3.
 *
 * @param {string} go
 * @param {string} folder
 * @param {(line: string) => void} say
 */
async function writeModule(go, folder, say) {
  const { GoMod } = JSON.parse(
    await run(go, ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`], { cwd: '/' }),
  );
  const theirs = readFileSync(GoMod, 'utf8');
  const libraries = [...theirs.matchAll(/^\s*(?:replace )?(k8s\.io\/[a-z-]+) => \.\/staging/gm)].map(
    ([, name]) => name,
  );
  const lines = [
    'module orchard.test/kubernetes',
    ...(theirs.match(/^(go|godebug) .*$/gm) ?? []),
    `require k8s.io/kubernetes v${version}`,
    ...libraries.map((name) => `replace ${name} => ${name} v${version.replace(/^1/, '0')}`),
  ];
  writeFileSync(join(folder, 'go.mod'), `${lines.join('\n')}\n`);
  const imports = programs.map((program) => `import _ "k8s.io/kubernetes/cmd/${program}"`);
  writeFileSync(join(folder, 'tools.go'), ['//go:build tools', '', 'package tools', ...imports, ''].join('\n'));
  // written by an older list of libraries, it would be believed
  if (existsSync(join(folder, 'go.sum'))) rmSync(join(folder, 'go.sum'));
  const tidy = ['mod', 'tidy', '-e'];
  await run(go, tidy, { cwd: folder }).catch(async (error) => {
    if (!/sumdb/.test(error.message)) throw error;
    // some mirrors of the checksum database lack a module that the module proxy has
    say("Go's checksum database does not answer for all of k8s.io: its modules are taken without it");
    await run(go, tidy, { cwd: folder, env: { ...process.env, GONOSUMDB: 'k8s.io/*' } });
  });
}
