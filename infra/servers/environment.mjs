import { accessSync, constants, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { spawn } from 'node:child_process';

/** What people and CI set; the only place of this folder that reads the environment. The README lists all of it. */
export const environment = {
  redisUrl: process.env.ORCHARD_TEST_REDIS_URL || null,
  s3: process.env.ORCHARD_TEST_S3_URL
    ? {
        url: process.env.ORCHARD_TEST_S3_URL,
        bucket: process.env.ORCHARD_TEST_S3_BUCKET || 'orchard',
        region: process.env.ORCHARD_TEST_S3_REGION || 'us-east-1',
        accessKeyId: process.env.ORCHARD_TEST_S3_ACCESS_KEY_ID || process.env.AWS_ACCESS_KEY_ID || '',
        secretAccessKey: process.env.ORCHARD_TEST_S3_SECRET_ACCESS_KEY || process.env.AWS_SECRET_ACCESS_KEY || '',
      }
    : null,
  /** `minio` or `versitygw`: use this one and no other. */
  s3Server: process.env.ORCHARD_TEST_S3_SERVER || null,
  /** `no`: no container engine is used. */
  containers: process.env.ORCHARD_TEST_CONTAINERS !== 'no',
  ci: Boolean(process.env.CI) && process.env.CI !== 'false',
  cache: join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchard', 'servers'),
};

/**
 * The first of these programs that is on PATH.
 *
 * @param {...string} names
 * @returns {string | null} its full path
 */
export function onPath(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      for (const suffix of process.platform === 'win32' ? ['.exe', '.cmd'] : ['']) {
        const path = join(folder, name + suffix);
        if (isExecutable(path)) return path;
      }
    }
  }
  return null;
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What an engine has to answer in: one whose daemon hangs is none. */
const engineMilliseconds = 5_000;

/**
 * A container engine that answers, asked once.
 *
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | null>} the full path of its client
 */
export async function containerEngine(signal) {
  if (!environment.containers) return null;
  for (const path of [onPath('docker'), onPath('podman')]) {
    if (path === null || unusable.has(path)) continue;
    if (usable.has(path) || (await succeeds(path, ['info'], engineMilliseconds, signal))) {
      usable.add(path);
      return path;
    }
    unusable.add(path);
  }
  return null;
}
const usable = new Set();
const unusable = new Set();

/**
 * From now on this process takes the engine for none: a server in one of its containers could not be reached.
 *
 * @param {string} engine
 */
export function avoidEngine(engine) {
  usable.delete(engine);
  unusable.add(engine);
}

/**
 * Whether a command ends well in its time; it is killed where it does not.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>}
 */
export function succeeds(command, args, milliseconds, signal) {
  return new Promise((resolve) => {
    const limits = { timeout: milliseconds, killSignal: /** @type {const} */ ('SIGKILL'), signal };
    const child = spawn(command, args, { stdio: 'ignore', ...limits });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}

const composeFiles = ['../../docker-compose.yml', '../docker/store-minio.yml'];

/**
 * The image that the compose files name for a server, so that tests and users run the same one.
 *
 * @param {RegExp} name - matched against whole image names
 * @returns {string | null}
 */
export function composeImage(name) {
  for (const file of composeFiles) {
    const compose = readFileSync(new URL(file, import.meta.url), 'utf8');
    for (const [, image = ''] of compose.matchAll(/^\s*image:\s*(?:&\S+\s+)?["']?([^\s"'#]+)/gm)) {
      if (name.test(image)) return image;
    }
  }
  return null;
}
