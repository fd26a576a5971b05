import { openPromise, type Entry } from 'yauzl';
import { DatasetError, quote } from '../errors.js';

/** The file in an archive. */
export interface ZipMember {
  readonly fileName: string;
  /** Its bytes, as often as is asked. */
  readonly bytes: () => AsyncGenerator<Uint8Array, void>;
}

/** Members that are named in a refusal. */
const MOST_NAMED = 6;
/** Ways of compressing that are read: none, and deflate. */
const STORED = 0;
const DEFLATED = 8;

/**
 * The one file in a zip archive. Folders, and what macOS adds for itself, are no files of it.
 *
 * @param path where the archive lies
 * @param name in messages
 * @throws DatasetError where it has none or several, or one that cannot be unpacked
 */
export async function openZipMember(path: string, name: string): Promise<ZipMember> {
  const entries = await filesIn(path, name);
  const refuse = (got: string, remedy: string): never => {
    throw new DatasetError('format', { got, expected: 'a zip archive of one file', where: name, remedy });
  };
  const [entry] = entries;
  if (entry === undefined) return refuse('a zip archive without a file', 'Check that the right file was given.');
  if (entries.length > 1) {
    const names = entries.slice(0, MOST_NAMED).map(({ fileName }) => quote(fileName));
    if (entries.length > MOST_NAMED) names.push('…');
    return refuse(
      `a zip archive of ${String(entries.length)} files: ${names.join(', ')}`,
      'Unpack it first, and give one of them.',
    );
  }
  if (entry.isEncrypted()) return refuse('a zip archive with a password', 'Unpack it first.');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    return refuse(
      `a zip archive compressed in a way that is not read (method ${String(entry.compressionMethod)})`,
      'Unpack it first.',
    );
  return { fileName: entry.fileName, bytes: () => bytesOf(path, name, entry) };
}

async function filesIn(path: string, name: string): Promise<Entry[]> {
  const found: Entry[] = [];
  try {
    const zip = await openPromise(path, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const { fileName } = entry;
      const isOfMac = fileName.startsWith('__MACOSX/') || /(^|\/)\.DS_Store$/.test(fileName);
      if (!fileName.endsWith('/') && !isOfMac) found.push(entry);
    }
  } catch (cause) {
    throw damaged(name, cause);
  }
  return found;
}

async function* bytesOf(path: string, name: string, entry: Entry): AsyncGenerator<Uint8Array, void> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((cause: unknown) => {
    throw damaged(name, cause);
  });
  try {
    let crc = -1;
    // only what comes from the archive is its damage: what is thrown into the loop is not caught here
    for await (const chunk of refusing(name, zip.openReadStreamPromise(entry))) {
      crc = crcWith(crc, chunk);
      yield chunk;
    }
    if (~crc >>> 0 !== entry.crc32) throw damaged(name, new Error('its checksum is another'));
  } finally {
    zip.close();
  }
}

async function* refusing(name: string, opening: Promise<AsyncIterable<unknown>>): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of await opening) yield chunk as Uint8Array;
  } catch (cause) {
    throw damaged(name, cause);
  }
}

function damaged(name: string, cause: unknown): DatasetError {
  return new DatasetError(
    'format',
    {
      got: `a zip archive that does not hold (${(cause as Error).message})`,
      expected: 'a whole zip archive',
      where: name,
      remedy: 'Copy or compress the file again.',
    },
    { cause },
  );
}

// Node has a function for it, but not in all releases that Orchard runs on
const CRC_OF_BYTE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The state of CRC-32 after more bytes: it begins with -1, and the checksum has all bits the other way. */
function crcWith(state: number, bytes: Uint8Array): number {
  let crc = state;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_OF_BYTE[(crc ^ byte) & 255]!;
  return crc;
}
