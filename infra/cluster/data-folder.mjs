// The folder of `npm run cluster -- --data DIR`: what the store keeps from one start to the next, and who may use it
// meanwhile.
// cluster.json that it is such a folder, which S3 server's files lie in it, and the tokens: readable by this user alone
//   in-use.json   the process that has it, while it has it
//   store/        the S3 server's own
// The queue is not kept: it is made anew from the store, as after any loss of Redis.
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { findS3 } from '../servers/index.mjs';

const format = 1;

/**
 * @typedef {object} Marker
 * @property {number} format
 * @property {'minio' | 'versitygw'} server
 * @property {string} token
 * @property {string} readToken
 */

/** A folder that cannot be a cluster's, with what was found and what is expected. */
export class DataFolderError extends Error {}

/**
 * Takes the folder for this process, and makes it where it is not there.
 *
 * @param {string} path
 * @param {(line: string) => void} [say] - called with what takes long
 * @returns {Promise<import('./index.mjs').DataFolder>}
 * @throws {DataFolderError} where it is of something else or in use, or cannot be written to; what is in it is as it
 *   was then
 */
export async function openDataFolder(path, say) {
  const before = await told(() => readMarker(path));
  const wanted = before === null ? {} : { server: before.server };
  const { kind, source, what } = await findS3({ own: true, ...wanted, ...(say && { say }) });
  if (source === 'container' || kind === 'other')
    throw new DataFolderError(
      `${what}, which keeps nothing in a folder, expected an S3 server of this machine: npm run servers -- install versitygw`,
    );
  return told(async () => {
    if (!statSync(path, { throwIfNoEntry: false })) mkdirSync(path, { mode: 0o700 });
    const release = await take(path);
    // again: another process may have had it until now
    const found = readMarker(path);
    const marker = found ?? { format, server: kind, token: secret(), readToken: secret() };
    if (!found) writeFileSync(join(path, 'cluster.json'), `${JSON.stringify(marker, null, 2)}\n`, { mode: 0o600 });
    const { server, token, readToken } = marker;
    return { path, store: join(path, 'store'), server, token, readToken, isNew: !found, release };
  });
}

/**
 * What the system refuses is said of the folder.
 *
 * @template T
 * @param {() => T | Promise<T>} use
 */
async function told(use) {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new DataFolderError(`a folder that cannot be made or written to (${error.message}), ${expected}`, {
      cause: error,
    });
  }
}

const expected = 'expected one that an earlier npm run cluster -- --data made, or an empty or new one';
const secret = () => randomBytes(24).toString('hex');

/**
 * @param {string} path
 * @returns {Marker | null} null for a folder that is empty or not there
 */
function readMarker(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  if (!found.isDirectory()) throw new DataFolderError(`a file, ${expected}`);
  const names = readdirSync(path);
  if (!names.includes('cluster.json')) {
    // one that was killed while it took an empty folder
    const others = names.filter((name) => !name.startsWith('in-use.json'));
    if (others.length === 0) return null;
    const more = others.length > 3 ? `, … (${others.length})` : '';
    throw new DataFolderError(`a folder of something else, with ${others.slice(0, 3).join(', ')}${more}, ${expected}`);
  }
  const marker = readJson(join(path, 'cluster.json'));
  const isKnown = marker?.format === format && ['minio', 'versitygw'].includes(marker.server);
  if (isKnown && isText(marker.token) && isText(marker.readToken)) return marker;
  throw new DataFolderError(`a folder whose cluster.json is damaged or of another release, ${expected}`);
}

/** @param {unknown} value */
const isText = (value) => typeof value === 'string' && value !== '';

/**
 * @param {string} file
 * @returns {any} null where it cannot be read
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Says to others that this process has the folder: in-use.json names a port, and who answers there with the same sign
 * is alive. Process ids alone are given to others after a crash.
 *
 * @param {string} path
 * @returns {Promise<() => void>} gives it back
 */
async function take(path) {
  const file = join(path, 'in-use.json');
  const sign = secret();
  const server = createServer((socket) => void socket.on('error', () => undefined).end(sign));
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', () => resolve(null)));
  server.unref();
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const own = `${file}.${process.pid}`;
  try {
    writeFileSync(own, `${JSON.stringify({ host: hostname(), pid: process.pid, port, sign })}\n`, { mode: 0o600 });
    // a link is there with all of its content or not at all
    for (let isTaken = false; !isTaken;) isTaken = tryLink(own, file) || (await removeIfLeft(file));
  } catch (error) {
    server.close();
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
  return () => {
    rmSync(file, { force: true });
    server.close();
  };
}

/**
 * @param {string} from
 * @param {string} to
 */
function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes what a process left that was killed.
 *
 * @param {string} file
 * @returns {Promise<false>}
 * @throws {DataFolderError} where it is alive, or on another machine
 */
async function removeIfLeft(file) {
  const holder = readJson(file);
  if (holder && holder.host !== hostname())
    throw new DataFolderError(
      `a folder in use by process ${holder.pid} of ${holder.host}, expected one that is free; where nothing runs, remove ${file}`,
    );
  if (holder && (await says(holder.port, holder.sign)))
    throw new DataFolderError(`a folder in use by the cluster of process ${holder.pid}, expected one that is free`);
  rmSync(file, { force: true });
  return false;
}

/**
 * @param {number} port
 * @param {string} sign
 * @returns {Promise<boolean>} whether it is answered there
 */
function says(port, sign) {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('error', () => undefined).on('data', (data) => (said += data.toString()));
    socket.once('close', () => resolve(said === sign));
  });
}
