import { isAscii, isUtf8 } from 'node:buffer';
import { DatasetError } from '../../errors.js';
import { advise, sentences } from '../../reading/option-words.js';
import type { TableContext } from '../table-options.js';

const LF = 10;
const CR = 13;

/**
 * A text in UTF-8, in pieces that end after a line end (perhaps one within quotes), so that no character lies across two.
 * @param lineNow the line at which the piece to come begins, for messages
 * @throws DatasetError with code `encoding` where the bytes are not UTF-8, `limit` where a line is too long.
 */
export async function* textPieces(
  bytes: AsyncIterable<Uint8Array>,
  context: TableContext,
  lineNow: () => number,
): AsyncGenerator<Buffer, void> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  for await (const chunk of bytes) {
    const cut = lastLineEnd(chunk);
    if (cut === 0) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes > context.maxLineBytes) refuseLong(context, lineNow());
      continue;
    }
    yield checked(Buffer.concat([...waiting, chunk.subarray(0, cut)]), context, lineNow);
    // a copy: whoever gives the chunks may fill them again
    waiting = cut < chunk.length ? [chunk.slice(cut)] : [];
    waitingBytes = chunk.length - cut;
  }
  if (waitingBytes > 0) yield checked(Buffer.concat(waiting), context, lineNow);
}

/** After the last LF, or in a text without any after the last CR that surely is a line end by itself; 0 where there is none. */
function lastLineEnd(chunk: Uint8Array): number {
  const feed = chunk.lastIndexOf(LF);
  return feed >= 0 ? feed + 1 : chunk.lastIndexOf(CR, chunk.length - 2) + 1;
}

function checked(bytes: Buffer, context: TableContext, lineNow: () => number): Buffer {
  if (isAscii(bytes) || isUtf8(bytes)) return bytes;
  let from = 0;
  let line = lineNow();
  for (;;) {
    const feed = bytes.indexOf(LF, from);
    const end = feed < 0 ? bytes.length : feed + 1;
    if (!isUtf8(bytes.subarray(from, end))) break;
    from = end;
    line++;
  }
  const at = bytes.subarray(from).findIndex((byte, i) => byte >= 0x80 && !startsCharacter(bytes, from + i));
  const around = bytes.subarray(Math.max(from, from + at - 8), from + at + 8).toString('latin1');
  throw new DatasetError('encoding', {
    got: `bytes that are not UTF-8, as in ${JSON.stringify(around)} if it is Latin-1`,
    expected: 'UTF-8, with or without a byte order mark',
    where: `${context.name}, line ${line}`,
    remedy: 'Save the file as UTF-8 (as "CSV UTF-8"), or convert it: iconv -f WINDOWS-1252 -t UTF-8.',
  });
}

/** Whether a byte above 127 is part of a character of UTF-8. */
function startsCharacter(bytes: Buffer, at: number): boolean {
  for (let back = 0; back < 4; back++)
    for (let length = 2; length <= 4; length++)
      if (length > back && at >= back && isUtf8(bytes.subarray(at - back, at - back + length))) return true;
  return false;
}

export function refuseLong(context: TableContext, line: number): never {
  throw new DatasetError('limit', {
    got: `a row of more than ${context.maxLineBytes} bytes`,
    expected: 'a row a line, none longer than that',
    where: `${context.name}, line ${line}`,
    remedy: sentences(
      'Put every row on a line of its own, and close every quote',
      advise(context.wordFor, 'If rows are really that long, raise the limit', 'maxLineBytes'),
    ),
  });
}
