import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRedis, startS3 } from '../servers/index.mjs';
import { startUnderGuardian } from '../servers/supervise.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tailMilliseconds = 100;
/** A program that cannot start ends by itself: what is waited for longer than a server has only little of a processor. */
const readyMilliseconds = 60_000;

/**
 * Starts a whole cluster on loopback, or open to other machines where a host is given: Redis, an S3 server, a coordinator, a selector and workers, each a process of its
 * own under a guardian that ends it when this process ends, however that happens.
 *
 * @param {import('./index.mjs').ClusterOptions} [options]
 * @returns {Promise<import('./index.mjs').Cluster>}
 */
export async function startCluster(options = {}) {
  const {
    workers = 2,
    port,
    say = console.error,
    onLog = () => undefined,
    environment = {},
    data,
    signal,
    host,
  } = options;
  const { threads = Math.max(1, Math.floor(availableParallelism() / workers)) } = options;
  /** @type {{ stop: () => Promise<void> }[]} */
  const servers = [];
  /** @type {{ stop: () => Promise<void> }[]} */
  const programs = [];
  const stop = async () => {
    await Promise.all(programs.splice(0).map((program) => program.stop()));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  };
  try {
    const isOpen = host !== undefined;
    const open = isOpen ? { own: true, password: randomBytes(24).toString('hex') } : {};
    const redis = options.redis ?? (await startRedis({ say, appendOnly: true, signal, ...open }));
    if (!options.redis) servers.push(redis);
    const kept = data && { own: true, server: data.server, directory: data.store };
    const s3 = options.s3 ?? (await startS3({ say, ...(isOpen && { own: true, isOpen }), ...kept, signal }));
    if (!options.s3) servers.push(s3);
    const token = data?.token ?? randomBytes(24).toString('hex');
    const readToken = data?.readToken ?? randomBytes(24).toString('hex');
    const env = {
      ORCHARD_REDIS_URL: redis.url,
      ORCHARD_STORE: `s3://${s3.bucket}`,
      ORCHARD_S3_ENDPOINT: s3.url,
      ORCHARD_S3_REGION: s3.region,
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
      AWS_SESSION_TOKEN: '',
      // less than the guardian allows
      ORCHARD_GRACE_SECONDS: '4',
      ORCHARD_TOKENS: `cluster:full:${token} reader:read:${readToken}`,
      ...(isOpen && { ORCHARD_S3_PUBLIC_ENDPOINT: s3.url.replace('127.0.0.1', host) }),
      ...environment,
    };
    /**
     * @type {(name: string, app: string, own: (port: number, directory: string) => Record<string, string>, port?:
     *   number) => Promise<import('./index.mjs').Program>}
     */
    const start = async (name, app, own, wanted) => {
      const program = await startUnderGuardian({
        plan: (chosen, directory) => ({
          command: process.execPath,
          args: [join(root, 'apps', app, 'program/main.js')],
          env: { ...env, ...own(chosen, directory) },
        }),
        ready: readyMilliseconds,
        isReady: (chosen) => answers(`http://127.0.0.1:${chosen}/health/ready`),
        signal,
        port: wanted,
        directory: undefined,
      });
      const untail = tail(join(program.directory, 'server.log'), (line) => onLog(name, line));
      /** @type {Promise<void> | undefined} */
      let stopped;
      const stopProgram = () => (stopped ??= program.stop().then(untail));
      const running = { name, port: program.port, pid: program.pid, ended: program.ended, stop: stopProgram };
      programs.push(running);
      return running;
    };
    /**
     * @type {(name: string, app: string, more?: (directory: string) => Record<string, string>) =>
     *   Promise<import('./index.mjs').Program>}
     */
    const startTaker = (name, app, more = () => ({})) =>
      start(name, app, (health, directory) => ({
        ORCHARD_HEALTH_PORT: String(health),
        ORCHARD_WORKER_NAME: name.replaceAll(' ', '-'),
        ...more(directory),
      }));
    const startWorker = () => {
      const number = (workerNumber += 1);
      return startTaker(`worker ${number}`, 'worker', (directory) => ({
        ORCHARD_THREADS: String(threads),
        ORCHARD_CACHE_DIR: join(directory, 'datasets'),
      }));
    };
    let workerNumber = 0;
    /** @param {number} [wanted] */
    const startCoordinator = (wanted) => {
      const own = (/** @type {number} */ chosen) => ({
        ORCHARD_HOST: isOpen ? '0.0.0.0' : '127.0.0.1',
        ORCHARD_PORT: String(chosen),
      });
      return start('coordinator', 'coordinator', own, wanted);
    };
    const [coordinator, selector, ...crew] = await settled([
      startCoordinator(port),
      startTaker('selector', 'selector'),
      ...Array.from({ length: workers }, startWorker),
    ]);
    if (!coordinator || !selector) throw new Error('neither coordinator nor selector');
    const url = `http://127.0.0.1:${coordinator.port}`;
    return {
      url,
      token,
      readToken,
      redis,
      s3,
      coordinator,
      selector,
      workers: crew,
      startWorker,
      startCoordinator,
      env,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * All of them, or the first failure, but only after each has come to an end: none is left starting.
 *
 * @template T
 * @param {Promise<T>[]} starting
 * @returns {Promise<T[]>}
 */
async function settled(starting) {
  await Promise.allSettled(starting);
  return await Promise.all(starting);
}

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

/**
 * Follows a growing file line by line.
 *
 * @param {string} path
 * @param {(line: string) => void} onLine
 * @returns {() => void} reads what is left and ends it
 */
function tail(path, onLine) {
  // kept open: what a program writes last can still be read after its folder is gone
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(1 << 16);
  let rest = '';
  const read = () => {
    for (let length; (length = readSync(file, buffer, 0, buffer.length, null)) > 0;) {
      const lines = (rest + buffer.toString('utf8', 0, length)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  };
  const timer = setInterval(read, tailMilliseconds);
  timer.unref();
  return () => {
    clearInterval(timer);
    read();
    closeSync(file);
  };
}
