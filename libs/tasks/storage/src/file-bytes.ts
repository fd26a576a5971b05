import { open, type FileHandle } from 'node:fs/promises';
import { arrayFor } from './array-for.js';
import { StorageError } from './errors.js';

/** One call of read or write moves at most this much: a single one stops at 2 GiB. */
export const chunk = 2 ** 26;

/**
 * Bytes `start` to `end` of an open file.
 *
 * @param where what messages call the file
 * @throws StorageError `unsupported` where no array holds them, `damaged` where the file ends before
 */
export async function readBytes(
  file: FileHandle,
  where: string,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = arrayFor(where, Math.max(0, end - start));
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await file.read(bytes, at, Math.min(chunk, bytes.length - at), start + at);
    if (bytesRead === 0) {
      throw new StorageError('damaged', {
        got: `${at} bytes`,
        expected: `${bytes.length}`,
        where,
        remedy: 'The file was cut while it was read: check the disk.',
      });
    }
    at += bytesRead;
  }
  return bytes;
}

/**
 * All bytes of a file, which Node's own `readFile` refuses from 2 GiB on; of a pipe, what comes until its end.
 *
 * @throws the system's own error; StorageError `unsupported` where no array holds them, `damaged` where the file ends
 *   before
 */
export async function readWholeFile(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const found = await file.stat();
    // what the system only shows as a file says that it is empty
    const isSized = found.isFile() && found.size > 0;
    return isSized ? await readBytes(file, path, 0, found.size) : await file.readFile();
  } finally {
    await file.close();
  }
}
