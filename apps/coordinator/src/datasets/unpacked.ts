import { isGzip, unzipped } from '@orchard/dataset';
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
  if (!isGzip(head)) {
    yield* all;
    return;
  }
  let length = 0;
  for await (const chunk of unzipped(all, 'body')) {
    length += chunk.length;
    if (length > limit)
      throw new CoordinatorError('too-large', {
        got: `more than ${limit} bytes, unzipped`,
        expected: `at most ${limit}`,
        where: 'body',
        remedy: 'Send some of the rows, or raise ORCHARD_MAX_UPLOAD_BYTES.',
      });
    yield chunk;
  }
}

async function* whole(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
