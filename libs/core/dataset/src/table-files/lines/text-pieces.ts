import { isAscii, isUtf8 } from 'node:buffer';
import { DatasetError } from '../../errors.js';
import { advise, sentences, type OptionWord } from '../../reading/option-words.js';
import type { TextSyntax } from '../../reading/text-syntax.js';
import { decoded, encodingRemedy, likelyEncodings } from './text-encoding.js';

const LF = 10;
const CR = 13;

/** What readers of text have to know. */
export interface TextContext {
  /** The source's name in messages. */
  readonly name: string;
  readonly maxLineBytes: number;
  readonly syntax: TextSyntax;
  readonly wordFor: OptionWord<'maxLineBytes' | 'skip' | 'comment' | 'encoding' | 'escape'>;
  /** See `ReadOptions.onMemory`. */
  readonly memory?: (bytes: number) => void;
}

/**
 * A text without its byte order mark and the lines that are to be skipped, in pieces that end after a line end (perhaps
 * one within quotes), so that no character lies across two. A piece is valid until the next one. Whether it is UTF-8 is
 * left to {@link checkUtf8}.
 * @param lineNow the line at which the piece to come begins, for messages
 * @throws DatasetError with code `limit` where a line is too long.
 */
export async function* textPieces(
  bytes: AsyncIterable<Uint8Array>,
  context: TextContext,
  lineNow: () => number,
): AsyncGenerator<Buffer, void> {
  let skip = context.syntax.skip;
  for await (const piece of wholeLines(decoded(bytes, context), context, lineNow)) {
    let from = 0;
    for (; skip > 0 && from < piece.length; skip--) from = afterLine(piece, from);
    if (from < piece.length) yield from === 0 ? piece : piece.subarray(from);
  }
}

/** Where the next line begins in a text that ends after a line end, or with the file. */
export function afterLine(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === LF) return at + 1;
    if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : at + 1;
  }
  return bytes.length;
}

async function* wholeLines(
  bytes: AsyncIterable<Uint8Array>,
  context: TextContext,
  lineNow: () => number,
): AsyncGenerator<Buffer, void> {
  const { memory, maxLineBytes } = context;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let isFirst = true;
  const piece = (bytes: Buffer): Buffer => {
    const skipped = isFirst ? byteOrderMark(bytes) : 0;
    isFirst = false;
    return bytes.subarray(skipped);
  };
  for await (const chunk of bytes) {
    const cut = lastLineEnd(chunk);
    if (cut === 0) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      memory?.(chunk.length);
      if (waitingBytes > maxLineBytes) refuseLong(context, lineNow());
      continue;
    }
    let from = 0;
    if (waitingBytes > 0) {
      // only the line that lies across chunks is copied
      from = chunk.indexOf(LF) + 1 || cut;
      yield piece(Buffer.concat([...waiting, chunk.subarray(0, from)]));
      memory?.(-waitingBytes);
    }
    if (from < cut) yield piece(Buffer.from(chunk.buffer, chunk.byteOffset + from, cut - from));
    // a copy: the source may fill its chunks again
    waiting = cut < chunk.length ? [chunk.slice(cut)] : [];
    waitingBytes = chunk.length - cut;
    memory?.(waitingBytes);
  }
  if (waitingBytes === 0) return;
  yield piece(Buffer.concat(waiting));
  memory?.(-waitingBytes);
}

/** Length of the byte order mark that a text begins with, from that place on. */
export function byteOrderMark(bytes: Uint8Array, from = 0): 0 | 3 {
  return bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf ? 3 : 0;
}

/**
 * After the last LF, or in a text without any after the last CR that surely is a line end by itself; 0 where there is
 * none.
 */
function lastLineEnd(chunk: Uint8Array): number {
  const feed = chunk.lastIndexOf(LF);
  if (feed >= 0) return feed + 1;
  // a CR at the very end may be the first half of CR LF
  return chunk.length < 2 ? 0 : chunk.lastIndexOf(CR, chunk.length - 2) + 1;
}

/**
 * @param first the number of the line with which the bytes begin.
 * @throws DatasetError with code `encoding` where they are not UTF-8, or have a NUL
 */
export function checkUtf8(bytes: Buffer, { name, wordFor }: TextContext, first: number): void {
  const nul = bytes.indexOf(0);
  if (nul >= 0)
    throw new DatasetError('encoding', {
      got: 'a NUL, the character of number 0',
      expected: 'text, which has none',
      where: `${name}, line ${first + countLines(bytes.subarray(0, nul))}`,
      remedy: "Write the file anew, or leave it out: tr -d '\\000' < FILE > OTHER.",
    });
  if (isAscii(bytes) || isUtf8(bytes)) return;
  let from = 0;
  let line = first;
  for (;;) {
    const feed = bytes.indexOf(LF, from);
    const end = feed < 0 ? bytes.length : feed + 1;
    if (!isUtf8(bytes.subarray(from, end))) break;
    from = end;
    line++;
  }
  const where = `${name}, line ${line}`;
  const expected = 'UTF-8, with or without a byte order mark';
  const at = from + bytes.subarray(from).findIndex((byte, i) => byte >= 0x80 && !startsCharacter(bytes, from + i));
  const around = bytes.subarray(Math.max(from, at - 8), at + 8).toString('latin1');
  if (hasCharacters(bytes))
    throw new DatasetError('encoding', {
      got: `bytes that are not UTF-8, as in ${JSON.stringify(around)} if it is Latin-1, beside others that are`,
      expected,
      where,
      remedy: 'Correct them, or leave them out: iconv -c -f UTF-8 -t UTF-8.',
    });
  const found = likelyEncodings(bytes);
  const example = found[0] ?? { word: around, encoding: 'Latin-1' };
  throw new DatasetError('encoding', {
    got: `bytes that are not UTF-8, as in ${JSON.stringify(example.word)} if it is ${example.encoding}`,
    expected,
    where,
    remedy: encodingRemedy(found, wordFor),
  });
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines++;
  return lines;
}

/** Whether most bytes above 127 are of characters of UTF-8 all the same. */
function hasCharacters(bytes: Buffer): boolean {
  let inside = 0;
  let outside = 0;
  for (let at = 0; at < bytes.length && inside + outside < MOST_LOOKED; at++) {
    if (bytes[at]! < 0x80) continue;
    if (startsCharacter(bytes, at)) inside++;
    else outside++;
  }
  return inside > outside;
}

const MOST_LOOKED = 4096;

/** Whether a byte above 127 is part of a character of UTF-8. */
function startsCharacter(bytes: Buffer, at: number): boolean {
  for (let back = 0; back < 4; back++)
    for (let length = 2; length <= 4; length++)
      if (length > back && at >= back && isUtf8(bytes.subarray(at - back, at - back + length))) return true;
  return false;
}

export function refuseLong(context: TextContext, line: number): never {
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
