import { open, stat } from 'node:fs/promises';
import { Refusal } from '@orchard/refusal';
import { DatasetError } from '../errors.js';

/** A path, `-` for standard input, or bytes from elsewhere with the name that messages and format detection use. */
export type Source = string | { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

const CHUNK_BYTES = 1 << 18;

/** The source's name in messages. */
export function nameOf(source: Source): string {
  if (typeof source !== 'string') return source.name;
  return source === '-' ? 'standard input' : source;
}

/**
 * The bytes of a source, in chunks. Whatever goes wrong in getting them is a {@link DatasetError} with code `source`; a
 * file is closed when reading stops, for whatever reason.
 */
export async function* readBytes(source: Source): AsyncGenerator<Uint8Array, void> {
  const chunks =
    typeof source !== 'string'
      ? source.bytes
      : source === '-'
        ? (process.stdin as AsyncIterable<Uint8Array>)
        : fileChunks(source);
  const iterator = chunks[Symbol.asyncIterator]();
  let done = false;
  try {
    for (;;) {
      let result: IteratorResult<Uint8Array>;
      try {
        result = await iterator.next();
      } catch (cause) {
        done = true;
        throw sourceError(nameOf(source), cause);
      }
      done = result.done === true;
      if (result.done) return;
      yield result.value;
    }
  } finally {
    if (!done) await iterator.return?.();
  }
}

/** Chunks of a file, each its own memory: decompression may still read one while the next is filled. */
async function* fileChunks(path: string): AsyncGenerator<Uint8Array, void> {
  // before opening: to open a directory is an error on one system and none on another
  if ((await stat(path)).isDirectory())
    throw new DatasetError('source', {
      got: 'a directory',
      expected: 'a file',
      where: path,
      remedy: 'Give one file, as train.csv; train, valid and test are given one by one.',
    });
  const file = await open(path);
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function sourceError(where: string, cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const [got, remedy] =
    code === 'ENOENT' || code === 'ENOTDIR'
      ? ['no such file', 'Check the path.']
      : code === 'EACCES' || code === 'EPERM'
        ? ['a file that may not be read', 'Give yourself permission to read it.']
        : [
            `an error while reading (${cause instanceof Error ? cause.message : String(cause)})`,
            'Try again with the whole file.',
          ];
  return new DatasetError('source', { got, expected: 'a file that can be read', where, remedy }, { cause });
}
