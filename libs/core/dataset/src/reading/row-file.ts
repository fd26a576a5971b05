import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isGzip } from './detect.js';
import { DatasetError } from '../errors.js';
import { nameOf, readBytes, type Source } from './source.js';
import { Spool } from './spool.js';

const CHUNK_BYTES = 1 << 16;

/** A file that is read from front to back, again and again: all that texts need. */
export interface TextFile {
  readonly name: string;
  /** All bytes from the beginning, unzipped. */
  bytes(): AsyncGenerator<Uint8Array, void>;
  /** The first bytes, unzipped: so many, or as many as there are. */
  head(bytes: number): Promise<Uint8Array>;
  /** Removes what was spooled. */
  close(): Promise<void>;
}

/** A file that can be read again and again: one on disk as it is, and whatever comes only once, spooled. */
export interface RowFile extends TextFile {
  /**
   * Where the bytes lie on disk, for formats that are not read from front to back; what is zipped is unzipped for it.
   */
  path(): Promise<string>;
  /** Keeps bytes in a file beside it until it is closed, as what was unpacked. @returns its path */
  keep(bytes: AsyncIterable<Uint8Array>): Promise<string>;
}

/**
 * A source that is a regular file is read where it lies. Standard input, pipes and streams are first written to a
 * temporary file (below `TMPDIR`), which `close` removes, and the end of the process at the latest.
 *
 * @param mostUnpacked bytes that what is zipped may have in all: those of each pass, and those of all that is kept
 */
export async function openRowFile(source: Source, mostUnpacked = Infinity): Promise<RowFile> {
  const spool = new Spool(nameOf(source));
  try {
    const isThere = typeof source === 'string' && source !== '-' && (await isRegular(source));
    return await rowFile(isThere ? source : await spool.keep(readBytes(source)), spool, mostUnpacked);
  } catch (error) {
    await spool.remove();
    throw error;
  }
}

async function isRegular(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isFile() || found.isDirectory();
  } catch {
    // what is wrong with it is reported when it is opened
    return true;
  }
}

async function rowFile(path: string, spool: Spool, mostUnpacked: number): Promise<RowFile> {
  const { name } = spool;
  const raw = (): AsyncGenerator<Uint8Array, void> => renamed(readBytes(path), path, name);
  const zipped = isGzip(await firstBytes(raw(), 2));
  const all = zipped
    ? (): AsyncGenerator<Uint8Array, void> => limited(unzipped(raw(), name), { left: mostUnpacked }, name)
    : raw;
  const identity = await identityOf(path);
  let unpacked: Promise<string> | null = null;
  const room: Room = { left: mostUnpacked };
  return {
    name,
    async *bytes() {
      yield* all();
      if ((await identityOf(path)) === identity) return;
      throw new DatasetError('source', {
        got: 'a file that was changed after it was opened',
        expected: 'the same rows in every pass',
        where: name,
        remedy: 'Read it when nothing writes to it.',
      });
    },
    head: (least) => firstBytes(all(), least),
    path: () => (zipped ? (unpacked ??= spool.keep(all())) : Promise.resolve(path)),
    keep: (bytes) => spool.keep(limited(bytes, room, name)),
    close: () => spool.remove(),
  };
}

/** Bytes that may still come. */
interface Room {
  left: number;
}

async function* limited(bytes: AsyncIterable<Uint8Array>, room: Room, name: string): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes) {
    room.left -= chunk.length;
    if (room.left < 0)
      throw new DatasetError('limit', {
        got: 'more, unpacked, than there is room for',
        expected: 'a file that is small unpacked too',
        where: name,
        remedy: 'Give some of the rows.',
      });
    yield chunk;
  }
}

async function identityOf(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path);
  return `${size} ${mtimeMs} ${ino}`;
}

/** Errors of a spooled copy are reported under its source's name. */
async function* renamed(
  bytes: AsyncGenerator<Uint8Array, void>,
  path: string,
  name: string,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* bytes;
  } catch (error) {
    if (path === name || !(error instanceof DatasetError)) throw error;
    throw new DatasetError(error.code, { ...error, where: name }, { cause: error });
  }
}

/** Collected until there are so many. */
async function firstBytes(bytes: AsyncIterable<Uint8Array>, least: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= least) break;
  }
  return Buffer.concat(chunks).subarray(0, least);
}

/** What gzip unpacks to. */
export async function* unzipped(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // what goes wrong reaches the loop below by destroying the stream
  const feeding = pipeline(Readable.from(bytes, { objectMode: false }), gunzip).catch(() => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (cause) {
    if (cause instanceof DatasetError) throw cause;
    const isShort = (cause as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
    throw new DatasetError(
      isShort ? 'truncated' : 'format',
      {
        got: isShort ? 'gzip that ends too early' : `gzip that does not hold (${(cause as Error).message})`,
        expected: 'a whole gzip file',
        where: name,
        remedy: 'Copy or compress the file again.',
      },
      { cause },
    );
  } finally {
    gunzip.destroy();
    await feeding;
  }
}
