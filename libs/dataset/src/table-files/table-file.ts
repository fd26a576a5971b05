import { rmSync } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isGzip } from '../detect.js';
import { DatasetError } from '../errors.js';
import { nameOf, readBytes, type Source } from '../source.js';

const CHUNK_BYTES = 1 << 16;

/** A file that can be read again and again: one on disk as it is, and whatever comes only once, spooled. */
export interface TableFile {
  readonly name: string;
  /** All bytes from the beginning, unzipped. */
  bytes(): AsyncGenerator<Uint8Array, void>;
  /** The first bytes, unzipped: so many, or as many as there are. */
  head(bytes: number): Promise<Uint8Array>;
  /** Removes what was spooled. */
  close(): Promise<void>;
}

/**
 * A source that is a regular file is read where it lies. Standard input, pipes and streams are first written to a
 * temporary file (below `TMPDIR`), which `close` removes, and the end of the process at the latest.
 */
export async function openTableFile(source: Source): Promise<TableFile> {
  const name = nameOf(source);
  if (typeof source === 'string' && source !== '-' && (await isRegular(source)))
    return tableFile(name, source, () => Promise.resolve());
  const folder = await mkdtemp(join(tmpdir(), 'orchard-table-'));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  const close = async (): Promise<void> => {
    process.off('exit', remove);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const path = join(folder, 'spooled');
    await spool(source, path);
    return await tableFile(name, path, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function isRegular(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isFile() || found.isDirectory();
  } catch {
    // what is wrong with it is told by whoever opens it
    return true;
  }
}

async function spool(source: Source, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of readBytes(source))
      try {
        await file.writeFile(chunk);
      } catch (cause) {
        throw new DatasetError(
          'source',
          {
            got: `an error while keeping a copy of it in ${path} (${(cause as Error).message})`,
            expected: 'room for the whole: a table is read more than once, and this comes only once',
            where: nameOf(source),
            remedy: 'Give a file, or set TMPDIR to a folder with room.',
          },
          { cause },
        );
      }
  } finally {
    await file.close();
  }
}

async function tableFile(name: string, path: string, close: () => Promise<void>): Promise<TableFile> {
  const named = (): AsyncGenerator<Uint8Array, void> => renamed(readBytes(path), path, name);
  const start = await firstBytes(named(), 2);
  const bytes = isGzip(start) ? (): AsyncGenerator<Uint8Array, void> => unzipped(named(), name) : named;
  const identity = await identityOf(path);
  return {
    name,
    async *bytes() {
      yield* bytes();
      if ((await identityOf(path)) === identity) return;
      throw new DatasetError('source', {
        got: 'a file that was changed after it was opened',
        expected: 'the same rows in every pass',
        where: name,
        remedy: 'Read it when nothing writes to it.',
      });
    },
    head: (least) => firstBytes(bytes(), least),
    close,
  };
}

async function identityOf(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path);
  return `${size} ${mtimeMs} ${ino}`;
}

/** What goes wrong with a spooled copy is told of its source. */
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
export async function firstBytes(bytes: AsyncIterable<Uint8Array>, least: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= least) break;
  }
  return Buffer.concat(chunks).subarray(0, least);
}

async function* unzipped(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void> {
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
