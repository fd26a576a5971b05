import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findContainer, startInContainer } from './container.mjs';
import { environment, onPath } from './environment.mjs';
import { getProgram } from './get.mjs';
import { honoursCreateOnly } from './s3-probe.mjs';
import { startUnderGuardian } from './supervise.mjs';
import { ServerUnavailable } from './unavailable.mjs';
import { argv } from '../command-line.mjs';

/** Made before a server starts: both servers take a folder of their data for a bucket. */
const bucket = 'orchard';
const region = 'us-east-1';

/**
 * @typedef {object} S3Found
 * @property {'environment' | 'path' | 'container' | 'cache'} source
 * @property {'minio' | 'versitygw' | 'other'} kind
 * @property {string} what - for people
 * @property {string} command - a program, a container engine, or the URL that was given
 * @property {string} [image]
 */

/**
 * Finds an S3 server, or gets one; starts nothing.
 *
 * @param {{ own?: boolean, server?: 'minio' | 'versitygw', say?: (line: string) => void, signal?: AbortSignal |
 *   undefined }} [options] - `own`: one that may be stopped, so not the one of the environment; `server`: this kind and
 *   no other
 * @returns {Promise<S3Found>}
 * @throws {ServerUnavailable}
 */
export async function findS3({ own = false, server, say = console.error, signal } = {}) {
  const wanted = server ?? environment.s3Server;
  if (wanted !== null && wanted !== 'minio' && wanted !== 'versitygw') {
    throw new ServerUnavailable(
      `${wanted} is no S3 server known here.`,
      'Set ORCHARD_TEST_S3_SERVER to minio or versitygw.',
    );
  }
  if (environment.s3 && !own && !server) {
    return { source: 'environment', kind: 'other', what: 'S3 of ORCHARD_TEST_S3_URL', command: environment.s3.url };
  }
  const kinds = /** @type {const} */ (['minio', 'versitygw']).filter((kind) => !wanted || kind === wanted);
  for (const kind of kinds) {
    const path = onPath(kind);
    if (path) return { source: 'path', kind, what: path, command: path };
  }
  const container = kinds.includes('minio') ? await findContainer(/\/minio(:|$)/, signal) : null;
  if (container !== null) return { ...container, kind: 'minio' };
  // versitygw is the quicker one to build; MinIO is used where it was asked for by name
  const kind = wanted ?? 'versitygw';
  const path = await getProgram(kind, say, signal);
  return { source: 'cache', kind, what: path, command: path };
}

/**
 * Starts an S3 server on loopback with an empty bucket, or hands out the one of the environment.
 *
 * @param {import('./index.mjs').S3Options} [options]
 * @returns {Promise<import('./index.mjs').S3Server>}
 */
export async function startS3(options = {}) {
  const { own = false, server: kind, port, directory, say = console.error, signal, isOpen = false } = options;
  const found = await findS3({ own, ...(kind && { server: kind }), say, signal });
  if (found.source === 'environment' && environment.s3) {
    const { url, ...access } = environment.s3;
    const idle = {
      port: null,
      pid: null,
      ended: new Promise(() => undefined),
      log: () => '',
      stop: async () => undefined,
    };
    return { url, ...access, source: found.source, kind: found.kind, ...idle };
  }
  const access = { accessKeyId: 'orchard', secretAccessKey: randomBytes(16).toString('hex') };
  const start = (/** @type {boolean} */ sidecar) =>
    startUnderGuardian({
      port,
      directory,
      signal,
      attempts: found.image ? 1 : 3,
      isReady: (port) => isHealthy(port, found.kind),
      plan: (port, directory) => plan(found, access, port, directory, sidecar, isOpen ? '0.0.0.0' : '127.0.0.1'),
    });
  // file systems without extended attributes keep versitygw's metadata in files of its own
  const startAnyhow = () =>
    start(false).catch((error) => {
      if (found.kind === 'versitygw' && /xattr|extended attribute/i.test(String(error))) return start(true);
      throw error;
    });
  const { image } = found;
  const container = image === undefined ? null : { ...found, source: /** @type {const} */ ('container'), image };
  const running = await (container === null ? startAnyhow() : startInContainer(container, say, signal, startAnyhow));
  if (running === null) return await startS3(options);
  const result = {
    url: `http://127.0.0.1:${running.port}`,
    bucket,
    region,
    ...access,
    source: found.source,
    kind: found.kind,
    port: running.port,
    pid: found.image ? null : running.pid,
    ended: running.ended,
    log: running.log,
    stop: running.stop,
  };
  if (found.source === 'path' && !(await honoursCreateOnly(result))) {
    await running.stop();
    throw new ServerUnavailable(
      `${found.what} does not honour create-only puts.`,
      'Install a later version, or take it off PATH so that another server is got.',
    );
  }
  return result;
}

/**
 * @param {S3Found} found
 * @param {{ accessKeyId: string, secretAccessKey: string }} access
 * @param {number} port
 * @param {string} directory
 * @param {boolean} sidecar
 * @param {string} host where it listens
 * @returns {import('./supervise.mjs').Plan}
 */
function plan(found, { accessKeyId, secretAccessKey }, port, directory, sidecar, host) {
  const minio = {
    MINIO_ROOT_USER: accessKeyId,
    MINIO_ROOT_PASSWORD: secretAccessKey,
    MINIO_BROWSER: 'off',
    MINIO_UPDATE: 'off',
  };
  if (found.image) {
    const name = `orchard-s3-${randomBytes(6).toString('hex')}`;
    // names alone: the client passes the values on from its environment, where no list of processes shows them
    const variables = Object.keys(minio).flatMap((variable) => ['-e', variable]);
    const shell = `mkdir -p /data/${bucket} && exec minio server --quiet /data`;
    return {
      command: found.command,
      args: argv`run --rm --name ${name} -p ${`${host}:${port}:9000`} ${variables} --entrypoint sh
        ${found.image} -c ${shell}`,
      env: minio,
      cleanup: [found.command, 'rm', '--force', name],
    };
  }
  const data = join(directory, 'data');
  mkdirSync(join(data, bucket), { recursive: true });
  const address = `${host}:${port}`;
  if (found.kind === 'minio') {
    const certificates = join(directory, 'certificates');
    return {
      command: found.command,
      // port 0 gives the console any free port
      args: argv`server --address ${address} --console-address 127.0.0.1:0 --certs-dir ${certificates}
        --quiet ${data}`,
      env: { ...minio, HOME: directory },
    };
  }
  const iam = join(directory, 'iam');
  mkdirSync(iam, { recursive: true });
  const metadata = join(directory, 'metadata');
  if (sidecar) mkdirSync(metadata, { recursive: true });
  return {
    command: found.command,
    args: [
      '--port',
      address,
      '--health',
      '/health',
      '--quiet',
      // as MinIO and AWS do by themselves: else every request opens a connection of its own
      '--keep-alive',
      '--iam-dir',
      iam,
      'posix',
      ...(sidecar ? ['--sidecar', metadata] : []),
      data,
    ],
    env: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
  };
}

/**
 * MinIO calls itself ready before it knows who may do what, and answers 503 to everything until then: so a stranger's
 * request has to be refused, too.
 *
 * @param {number} port
 * @param {S3Found['kind']} kind
 */
async function isHealthy(port, kind) {
  const ask = (/** @type {string} */ path) =>
    fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2000) });
  try {
    if (!(await ask(kind === 'minio' ? '/minio/health/ready' : '/health')).ok) return false;
    return (await ask(`/${bucket}`)).status < 500;
  } catch {
    return false;
  }
}
