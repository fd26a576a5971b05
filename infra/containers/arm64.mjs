// The images for arm64, made from the same file on this machine, and a cluster of them under qemu: it makes the bytes of
// this machine.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../servers/environment.mjs';
import { startRedis, startS3 } from '../servers/index.mjs';
import { freePorts } from './free-ports.mjs';
import { nodeOfImages } from './node.mjs';
import { run } from './run.mjs';
import { onBothPlatforms } from './stand-ins.mjs';
import { until } from './until.mjs';
import { wordsOfRun } from './words-of-run.mjs';

const platform = 'linux/arm64';
const built = 'localhost/orchard-check/built:latest';
const startMilliseconds = 180_000;

/** Prints what of the image is compiled for one processor: it should be nothing. */
const findCompiled = `const { openSync, readSync, readdirSync } = require('node:fs');
  for (const entry of readdirSync('/orchard', { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const [path, start] = [entry.parentPath + '/' + entry.name, Buffer.alloc(4)];
    readSync(openSync(path), start);
    if (start.toString('latin1') === '\\x7fELF') console.log(path);
  }
  console.log(process.arch);`;

/**
 * @param {import('./rehearsal.mjs').Stage & { cache: string, say: (line: string) => void,
 *   build: (target: string, flags: string[], name: string) => Promise<void> }} stage
 */
export async function checkArm64(stage) {
  const { engine, report, say, build } = stage;
  const qemu = onPath('qemu-aarch64-static');
  if (!qemu) {
    report('arm64', false, 'There is no qemu to run its images by. Install it: apt-get install qemu-user-static');
    return;
  }
  say('images for arm64');
  const node = await onBothPlatforms(`${nodeOfImages()}-bookworm-slim`, stage);
  const flags = ['--platform', platform, '--build-arg', `NODE_VERSION=${node}`];
  if (engine.kind === 'podman') {
    // podman 4.3 builds all stages for the platform that is asked for: what the build stage made here is given to it as
    // a folder
    await build('build', [], built);
    const made = join(stage.folder, 'build');
    mkdirSync(made, { recursive: true });
    const container = (await engine.run(['create', built, 'true'])).trim();
    await engine.run(['cp', `${container}:/out`, made]);
    await engine.run(['rm', container]);
    flags.push('--build-context', `build=${made}`);
  }
  for (const target of ['coordinator', 'worker', 'selector']) {
    await build(target, flags, nameOf(target));
    const found = (await underQemu(stage, qemu, target, ['--rm'], ['-e', findCompiled])).trim();
    report(
      `the image orchard/${target} for arm64 runs, and nothing of ours in it is compiled`,
      found === 'arm64',
      found,
    );
  }
  await trainOnArm64(stage, qemu);
}

/** @param {string} target */
function nameOf(target) {
  return `docker.io/orchard/${target}:arm64`;
}

/**
 * @param {Parameters<typeof checkArm64>[0]} stage
 * @param {string} qemu
 * @param {string} target
 * @param {string[]} flags of the engine
 * @param {string[]} args of Node
 */
function underQemu({ engine }, qemu, target, flags, args) {
  const confined = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--no-healthcheck', '--network', 'host'];
  // the kernel is not asked to run such programs by itself, which would change the machine
  const entry = ['--volume', `${qemu}:/qemu:ro`, '--entrypoint', '/qemu', '--platform', platform];
  return engine.run(['run', ...flags, ...confined, ...entry, nameOf(target), '/usr/local/bin/node', ...args]);
}

/** A run on a coordinator, a selector and a worker of arm64. @param {Parameters<typeof checkArm64>[0]} stage @param {string} qemu */
async function trainOnArm64(stage, qemu) {
  const { engine, report, root, folder } = stage;
  mkdirSync(folder, { recursive: true });
  const redis = await startRedis({ own: true });
  const s3 = await startS3({ own: true });
  const [port, ...healthPorts] = await freePorts(3);
  const token = randomBytes(24).toString('hex');
  const env = {
    ORCHARD_REDIS_URL: redis.url,
    ORCHARD_STORE: `s3://${s3.bucket}`,
    ORCHARD_S3_ENDPOINT: s3.url,
    ORCHARD_S3_REGION: s3.region,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    ORCHARD_TOKENS: `check:full:${token}`,
    ORCHARD_HOST: '127.0.0.1',
    ORCHARD_PORT: String(port),
    ORCHARD_THREADS: '1',
    ORCHARD_CACHE_DIR: '/tmp',
  };
  /** @type {string[]} */
  const started = [];
  try {
    for (const [at, target] of ['coordinator', 'selector', 'worker'].entries()) {
      const own = { ...env, ORCHARD_HEALTH_PORT: String(healthPorts[Math.max(0, at - 1)]) };
      const flags = ['--detach', ...Object.entries(own).flatMap(([name, value]) => ['--env', `${name}=${value}`])];
      started.push((await underQemu(stage, qemu, target, flags, [`apps/${target}/program/main.js`])).trim());
    }
    for (const [name, at] of /** @type {const} */ ([
      ['coordinator', port],
      ['selector', healthPorts[0]],
      ['worker', healthPorts[1]],
    ])) {
      await until(`the ${name} is ready`, startMilliseconds, async () => {
        const answer = await fetch(`http://127.0.0.1:${at}/health/ready`).catch(() => null);
        return answer?.ok === true;
      });
    }
    const words = wordsOfRun(root, '20');
    const orchard = (/** @type {string[]} */ ...args) =>
      run(process.execPath, [join(root, 'apps/cli/program/main.js'), ...args], {
        cwd: folder,
        env: { ...process.env, ORCHARD_SERVER: `http://127.0.0.1:${port}`, ORCHARD_TOKEN: token },
      });
    await orchard('train', ...words, '--out', 'local', '--no-report', '--quiet', '--threads', '1');
    const { id } = JSON.parse(await orchard('submit', ...words, '--json'));
    await orchard('watch', id, '--quiet');
    await orchard('fetch', id, '--out', 'fetched', '--quiet');
    const [own, fetched] = ['local', 'fetched'].map((out) => readFileSync(join(folder, out, 'network.msgpack')));
    report(
      `arm64: a run makes the model of this machine, byte for byte (${own?.length} bytes)`,
      own?.equals(fetched ?? Buffer.of()) === true,
    );
  } catch (error) {
    for (const id of started) console.error(await engine.run(['logs', '--tail', '15', id]).catch(String));
    throw error;
  } finally {
    for (const id of started) await engine.run(['rm', '--force', id]).catch(() => undefined);
    await Promise.all([redis.stop(), s3.stop()]);
  }
}
