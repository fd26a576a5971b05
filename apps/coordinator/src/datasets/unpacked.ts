import { DatasetError } from '@orchard/dataset';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CoordinatorError } from '../errors.js';

/**
 * Bytes, unzipped where they are gzip, up to a limit of what comes out: a little gzip may hold terabytes.
 *
 * @throws CoordinatorError `too-large` beyond the limit; DatasetError `truncated` or `format` for gzip that does not
 *   hold
 */
export async function* unpacked(bytes: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array, void> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.length < 2) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const all = whole(head, iterator);
  if (head[0] === 0x1f && head[1] === 0x8b) yield* unzipped(all, limit);
  else yield* all;
}

async function* whole(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* unzipped(bytes: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip();
  // what goes wrong reaches the loop below by destroying the stream
  const feeding = pipeline(Readable.from(bytes, { objectMode: false }), gunzip).catch(() => undefined);
  let length = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (cause) {
    const { code = '' } = cause as { code?: string };
    if (!code.startsWith('Z_')) throw cause;
    const isShort = code === 'Z_BUF_ERROR';
    const got = isShort ? 'gzip that ends too early' : 'gzip that does not hold';
    const parts = { got, expected: 'a whole gzip file', where: 'body', remedy: 'Compress the file again.' };
    throw new DatasetError(isShort ? 'truncated' : 'format', parts, { cause });
  } finally {
    gunzip.destroy();
    await feeding;
  }
}

function tooLarge(limit: number): CoordinatorError {
  return new CoordinatorError('too-large', {
    got: `more than ${limit} bytes, unzipped`,
    expected: `at most ${limit}`,
    where: 'body',
    remedy: 'Send some of the rows, or raise ORCHARD_MAX_UPLOAD_BYTES.',
  });
}
