// The container engine of check:containers: Docker where it answers, else podman, with images and settings in a folder
// of the check alone.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onPath } from '../servers/environment.mjs';
import { run } from './run.mjs';

/** How often podman's health checks are called, since no systemd does, in milliseconds. */
const HEALTH_EVERY = 1000;

/**
 * @typedef {object} Engine
 * @property {'docker' | 'podman'} kind
 * @property {string} version
 * @property {(args: string[], options?: { env?: Record<string, string>, shown?: boolean, input?: string | Buffer }) =>
 *   Promise<string>} run
 * @property {(args: string[], options?: { env?: Record<string, string>, shown?: boolean, cwd?: string }) =>
 *   Promise<string>} compose
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} folder for podman's images, settings and socket
 * @param {() => Promise<string>} getCompose a docker-compose that speaks to podman's service
 * @returns {Promise<Engine | null>}
 */
export async function findEngine(folder, getCompose) {
  const docker = onPath('docker');
  if (docker && (await answers(docker, process.env))) {
    return {
      kind: 'docker',
      version: (await run(docker, ['--version'])).trim(),
      run: (args, options) => run(docker, args, withEnvironment(process.env, options)),
      compose: (args, options) => run(docker, ['compose', ...args], withEnvironment(process.env, options)),
      close: async () => undefined,
    };
  }
  const podman = onPath('podman');
  if (!podman) return null;
  const env = { ...process.env, ...settingsIn(folder) };
  return (await answers(podman, env))
    ? await startPodman(podman, env, join(folder, 'podman.sock'), await getCompose())
    : null;
}

/**
 * @param {string} podman
 * @param {NodeJS.ProcessEnv} env
 * @param {string} socket
 * @param {string} compose
 * @returns {Promise<Engine>}
 */
async function startPodman(podman, env, socket, compose) {
  rmSync(socket, { force: true });
  const service = spawn(podman, ['system', 'service', '--time', '0', `unix://${socket}`], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  const stopping = new AbortController();
  const asking = askHealth(podman, env, stopping.signal);
  const composeEnv = { ...env, DOCKER_HOST: `unix://${socket}` };
  return {
    kind: 'podman',
    version: (await run(podman, ['--version'])).trim(),
    run: (args, options) => run(podman, args, withEnvironment(env, options)),
    compose: (args, options) => run(compose, args, withEnvironment(composeEnv, options)),
    async close() {
      stopping.abort();
      service.kill();
      await Promise.all([ended, asking]);
    },
  };
}

/**
 * Writes podman's settings, and names them to it.
 *
 * @param {string} folder
 */
function settingsIn(folder) {
  mkdirSync(folder, { recursive: true });
  const CONTAINERS_CONF = join(folder, 'containers.conf');
  const CONTAINERS_STORAGE_CONF = join(folder, 'storage.conf');
  // more than the hard limits of the machine would be refused
  const limits = 'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]';
  // where no systemd runs, podman makes its control groups by itself; crun fails on those of the first version
  const engine = ['cgroup_manager = "cgroupfs"', 'events_logger = "file"'];
  if (onPath('runc')) engine.push('runtime = "runc"');
  writeFileSync(CONTAINERS_CONF, ['[containers]', limits, '[engine]', ...engine, ''].join('\n'));
  const places = [`graphroot = "${join(folder, 'images')}"`, `runroot = "${join(folder, 'running')}"`];
  writeFileSync(CONTAINERS_STORAGE_CONF, ['[storage]', 'driver = "overlay"', ...places, ''].join('\n'));
  return { CONTAINERS_CONF, CONTAINERS_STORAGE_CONF };
}

/**
 * Calls the health checks of all running containers again and again.
 *
 * @param {string} podman
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} signal
 */
async function askHealth(podman, env, signal) {
  while (!signal.aborted) {
    const running = await run(podman, ['ps', '--quiet'], { env }).catch(() => '');
    const ids = running.split('\n').filter(Boolean);
    // one without a health check refuses, an unhealthy one ends with 1; the engine notes the outcome
    await Promise.all(ids.map((id) => run(podman, ['healthcheck', 'run', id], { env }).catch(() => undefined)));
    await delay(HEALTH_EVERY, undefined, { signal }).catch(() => undefined);
  }
}

/** @param {string} engine @param {NodeJS.ProcessEnv} env */
async function answers(engine, env) {
  return await run(engine, ['info'], { env }).then(
    () => true,
    () => false,
  );
}

/** @param {NodeJS.ProcessEnv} env @param {{ env?: Record<string, string> }} [options] */
function withEnvironment(env, options = {}) {
  return { ...options, env: { ...env, ...options.env } };
}
