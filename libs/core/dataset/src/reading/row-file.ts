import { stat } from 'node:fs/promises';
import { DatasetError } from '../errors.js';
import { openParts } from '../parts/file-of-parts.js';
import { findParts, nameOfParts } from '../parts/find-parts.js';
import { PACKING_BYTES, PACKINGS, packingOf, type Packing } from './packing.js';
import { nameOf, readBytes, type Source } from './source.js';
import { shownName, Spool } from './spool.js';
import { unpacked } from './unpacked.js';
import { openZipMember } from './zip-member.js';

/** A file that is read from front to back, again and again: all that texts need. */
export interface TextFile {
  /** In messages, and what the extension is of: of a file in an archive, with its own name behind the archive's. */
  readonly name: string;
  /** All bytes from the beginning, unpacked. */
  bytes(): AsyncGenerator<Uint8Array, void>;
  /** The first bytes, unpacked: so many, or as many as there are. */
  head(bytes: number): Promise<Uint8Array>;
  /**
   * What a file is refused for that was written to after it was opened; null of any other. What is wrong with its rows
   * is then wrong with half of them.
   *
   * @default nothing writes to it
   */
  change?(): Promise<DatasetError | null>;
  /** Removes what was spooled. */
  close(): Promise<void>;
}

/** A file that can be read again and again: one on disk as it is, and whatever comes only once, spooled. */
export interface RowFile extends TextFile {
  /**
   * Where the bytes lie on disk, for formats that are not read from front to back; what is packed is unpacked for it.
   */
  path(): Promise<string>;
  /** Keeps bytes in a file beside it until it is closed, as what was unpacked. @returns its path */
  keep(bytes: AsyncIterable<Uint8Array>): Promise<string>;
}

/**
 * A source that is a regular file is read where it lies; a folder or a glob is its files, one after another, in the
 * order of their names. Standard input, pipes and streams are first written to a temporary file (below `TMPDIR`), which
 * `close` removes, and the end of the process at the latest.
 *
 * @param mostUnpacked bytes that what is packed may have in all: those of each pass, and those of all that is kept
 * @param packings those that are unpacked; a server takes gzip alone, which needs little memory whatever is in it
 */
export async function openRowFile(
  source: Source,
  mostUnpacked = Infinity,
  packings: readonly Packing[] = PACKINGS,
): Promise<RowFile> {
  const parts = typeof source === 'string' && source !== '-' ? await findParts(source) : null;
  return parts === null
    ? openOneFile(source, mostUnpacked, packings)
    : openParts(parts.name, parts.paths, (path) => openOneFile(path, mostUnpacked, packings));
}

/**
 * Sources whose rows follow one another, as one file.
 *
 * @param pattern what they are called together
 * @throws DatasetError where they are of several kinds
 */
export async function openSources(pattern: string, sources: readonly Source[]): Promise<RowFile> {
  const name = nameOfParts(pattern, sources.map(nameOf));
  return openParts(name, sources, (source) => openOneFile(source, Infinity, PACKINGS));
}

async function openOneFile(source: Source, mostUnpacked: number, packings: readonly Packing[]): Promise<RowFile> {
  const spool = new Spool(shownName(nameOf(source)));
  try {
    const isThere = typeof source === 'string' && source !== '-' && (await isRegular(source));
    const path = isThere ? source : await spool.keep(readBytes(source));
    return await rowFile(path, spool, mostUnpacked, packings);
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

async function rowFile(
  path: string,
  spool: Spool,
  mostUnpacked: number,
  packings: readonly Packing[],
): Promise<RowFile> {
  const { name } = spool;
  const raw = (): AsyncGenerator<Uint8Array, void> => renamed(readBytes(path), path, name);
  const found = packingOf(await firstBytes(raw(), PACKING_BYTES));
  const packing = found !== null && packings.includes(found) ? found : null;
  if (packing === 'bzip2' || packing === 'zstd') {
    // these take long: once, and not with every pass
    const copy = await spool.keep(limited(unpacked(raw(), packing, name), { left: mostUnpacked }, name));
    return rowFile(copy, spool, mostUnpacked, []);
  }
  const member = packing === 'zip' ? await openZipMember(path, name) : null;
  const whole = member?.bytes ?? (packing === null ? null : () => unpacked(raw(), 'gzip', name));
  const all = whole === null ? raw : () => limited(whole(), { left: mostUnpacked }, name);
  const identity = await identityOf(path);
  const change = async (): Promise<DatasetError | null> => {
    if ((await identityOf(path)) === identity) return null;
    return new DatasetError('source', {
      got: 'a file that was changed after it was opened',
      expected: 'the same rows in every pass',
      where: name,
      remedy: 'Read it when nothing writes to it.',
    });
  };
  let kept: Promise<string> | null = null;
  const room: Room = { left: mostUnpacked };
  return {
    name: member === null ? name : `${name}/${member.fileName}`,
    async *bytes() {
      yield* all();
      const changed = await change();
      if (changed !== null) throw changed;
    },
    change,
    head: (least) => firstBytes(all(), least),
    path: () => {
      if (whole === null) return Promise.resolve(path);
      kept ??= spool.keep(all());
      return kept;
    },
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

/** Another text once a file was written to, replaced or removed. */
async function identityOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch {
    return 'removed';
  }
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

/** Bytes from the beginning: so many, or all there are. */
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
