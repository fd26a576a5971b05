import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { findContainer, startInContainer } from './container.mjs';
import { environment, onPath } from './environment.mjs';
import { getDebianRedis, getProgram, versionOf } from './get.mjs';
import { startUnderGuardian } from './supervise.mjs';

/**
 * @typedef {object} RedisFound
 * @property {'environment' | 'path' | 'container' | 'cache'} source
 * @property {string} what - for people
 * @property {string} command - a program, a container engine, or the URL that was given
 * @property {string} [image]
 */

/**
 * Finds a Redis, or gets one; starts nothing.
 *
 * @param {{ own?: boolean, say?: (line: string) => void, signal?: AbortSignal | undefined }} [options] - `own`: one
 *   that may be stopped and filled up, so not the one of the environment
 * @returns {Promise<RedisFound>}
 * @throws {import('./unavailable.mjs').ServerUnavailable}
 */
export async function findRedis({ own = false, say = console.error, signal } = {}) {
  if (environment.redisUrl && !own) {
    return { source: 'environment', what: 'Redis of ORCHARD_TEST_REDIS_URL', command: environment.redisUrl };
  }
  for (const path of [onPath('redis-server'), onPath('valkey-server')]) {
    // BullMQ needs 6.2
    if (path && isAtLeast(versionOf(path), 6, 2)) return { source: 'path', what: path, command: path };
  }
  const container = await findContainer(/(^|\/)(redis|valkey)(:|$)/, signal);
  if (container !== null) return container;
  try {
    const path = await getProgram('valkey', say, signal);
    return { source: 'cache', what: path, command: path };
  } catch (error) {
    signal?.throwIfAborted();
    const path = await getDebianRedis(say, signal);
    if (path) return { source: 'path', what: path, command: path };
    throw error;
  }
}

/**
 * Starts a Redis on loopback, or hands out the one of the environment.
 *
 * @param {import('./index.mjs').RedisOptions} [options]
 * @returns {Promise<import('./index.mjs').RedisServer>}
 */
export async function startRedis(options = {}) {
  const {
    own = false,
    port,
    directory,
    appendOnly = false,
    maxMemory,
    say = console.error,
    signal,
    flags: more = [],
    password,
  } = options;
  const found = await findRedis({ own, say, signal });
  if (found.source === 'environment') {
    return {
      url: found.command,
      source: found.source,
      port: null,
      pid: null,
      ended: new Promise(() => undefined),
      log: () => '',
      stop: async () => undefined,
    };
  }
  const flags = ['--save', '', '--appendonly', appendOnly ? 'yes' : 'no', '--maxmemory-policy', 'noeviction'];
  if (maxMemory) flags.push('--maxmemory', String(maxMemory));
  // open to other machines: only with a password
  const host = password === undefined ? '127.0.0.1' : '0.0.0.0';
  if (password !== undefined) flags.push('--requirepass', password);
  flags.push(...more);
  const name = `orchard-redis-${randomBytes(6).toString('hex')}`;
  const { image } = found;
  const start = () =>
    startUnderGuardian({
      port,
      directory,
      signal,
      attempts: image ? 1 : 3,
      isReady: answersPing,
      plan: (port, directory) =>
        image
          ? {
              command: found.command,
              args: ['run', '--rm', '--name', name, '-p', `${host}:${port}:6379`, image, 'redis-server', ...flags],
              cleanup: [found.command, 'rm', '--force', name],
            }
          : {
              command: found.command,
              args: ['--bind', host, '--port', String(port), '--dir', directory, ...flags],
            },
    });
  const container = image === undefined ? null : { ...found, source: /** @type {const} */ ('container'), image };
  const server = await (container === null ? start() : startInContainer(container, say, signal, start));
  if (server === null) return await startRedis(options);
  return {
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${server.port}`,
    source: found.source,
    port: server.port,
    pid: image ? null : server.pid,
    ended: server.ended,
    log: server.log,
    stop: server.stop,
  };
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answersPing(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    /** @param {boolean} answer */
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => done(false));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
    socket.once('data', (data) => done(/^(\+PONG|-NOAUTH)/.test(data.toString())));
  });
}

/**
 * @param {string} version
 * @param {number} major
 * @param {number} minor
 */
function isAtLeast(version, major, minor) {
  const [a = 0, b = 0] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}
