import { deflateSync } from 'fflate';
import { inflateRawSync } from 'node:zlib';
import { widthOf } from './little-endian.js';

/**
 * Numbers as files of version 5 hold them (FORMAT.md): whole numbers of `width` bytes in a raw DEFLATE stream, by
 * place: the lowest byte of every number, then the next of every number. Alike bytes lie side by side so, apart from
 * those that are noise. A double is the whole number of its 64 bits without the `shift` lowest, which are 0 in all of
 * an array.
 */
const HEAD_BYTES = 2;

/**
 * No DEFLATE stream becomes longer than this many times itself: a count that claims more is refused before room is made
 * for it.
 */
const MOST_INFLATION = 1032;

/** Which half of a double has the sign, the exponent and the leading digits. */
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

export function packedIntegers(arrays: readonly Uint32Array[]): Uint8Array {
  return packed(widthOf(arrays), 0, arrays.reduce(sumOfLengths, 0), (write) => {
    for (const values of arrays) for (let at = 0; at < values.length; at++) write(values[at]!, 0);
  });
}

export function packedFloats(arrays: readonly Float64Array[]): Uint8Array {
  const halves = arrays.map(halvesOf);
  let [low, high] = [0, 0];
  for (const words of halves)
    for (let at = 0; at < words.length; at += 2) {
      high |= words[at + HIGH]!;
      low |= words[at + 1 - HIGH]!;
    }
  const unused = low === 0 && high !== 0 ? 31 - Math.clz32(high & -high) : 0;
  const width = low !== 0 ? 8 : Math.max(1, Math.ceil((32 - Math.clz32(high >>> unused)) / 8));
  return packed(width, low === 0 ? 32 + unused : 0, halves.reduce(sumOfLengths, 0) / 2, (write) => {
    for (const words of halves)
      for (let at = 0; at < words.length; at += 2) {
        if (low === 0) write(words[at + HIGH]! >>> unused, 0);
        else write(words[at + 1 - HIGH]!, words[at + HIGH]!);
      }
  });
}

/** The `count` integers that were packed; null where it is something else. */
export function unpackedIntegers(bytes: Uint8Array, count: number): Uint32Array | null {
  const width = bytes[0]!;
  if (![1, 2, 4].includes(width) || bytes[1] !== 0) return null;
  const planes = planesOf(bytes, width * count);
  if (planes === null) return null;
  if (width === 1) return new Uint32Array(planes);
  const integers = new Uint32Array(count);
  writeWords(planes, width, 0, integers, 1);
  return integers;
}

/** The `count` doubles that were packed; null where it is something else. */
export function unpackedFloats(bytes: Uint8Array, count: number): Float64Array | null {
  const [width, shift] = [bytes[0]!, bytes[1]!];
  const isWhole = width === 8 && shift === 0;
  if (!isWhole && !(width >= 1 && width <= 4 && shift >= 32 && shift < 64)) return null;
  const planes = planesOf(bytes, width * count);
  if (planes === null) return null;
  const floats = new Float64Array(count);
  const halves = halvesOf(floats);
  if (isWhole) writeWords(planes.subarray(0, 4 * count), 4, 0, halves.subarray(1 - HIGH), 2);
  const highest = planes.subarray(isWhole ? 4 * count : 0);
  writeWords(highest, isWhole ? 4 : width, isWhole ? 0 : shift - 32, halves.subarray(HIGH), 2);
  return floats;
}

/** @param visit hands over every number, its low and its high 32 bits */
function packed(
  width: number,
  shift: number,
  count: number,
  visit: (write: (low: number, high: number) => void) => void,
): Uint8Array {
  const planes = new Uint8Array(width * count);
  let number = 0;
  visit((low, high) => {
    for (let place = 0, at = number; place < width; place++, at += count)
      planes[at] = place < 4 ? low >>> (8 * place) : high >>> (8 * (place - 4));
    number++;
  });
  // fflate, of one exact version, makes the same bytes on every machine, which zlib does not promise
  const stream = deflateSync(planes, { level: 4, mem: 8 });
  const bytes = new Uint8Array(HEAD_BYTES + stream.length);
  bytes.set([width, shift]);
  bytes.set(stream, HEAD_BYTES);
  return bytes;
}

function planesOf(bytes: Uint8Array, length: number): Uint8Array | null {
  if (length > MOST_INFLATION * bytes.length) return null;
  try {
    // in one piece: zlib's own are of 16 KiB, and joined
    const room = Math.max(64, length);
    const planes = inflateRawSync(bytes.subarray(HEAD_BYTES), { chunkSize: room, maxOutputLength: room });
    return planes.length === length ? planes : null;
  } catch {
    // of a stream that is broken, or longer
    return null;
  }
}

/** Writes numbers of up to four bytes, moved up by `shift` bits, to every `step`th word. */
function writeWords(planes: Uint8Array, width: number, shift: number, words: Uint32Array, step: number): void {
  const count = planes.length / width;
  for (let at = 0; at < count; at++) {
    let word = planes[at]!;
    for (let place = 1; place < width; place++) word |= planes[place * count + at]! << (8 * place);
    words[step * at] = word << shift;
  }
}

function halvesOf({ buffer, byteOffset, length }: Float64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, 2 * length);
}

function sumOfLengths(sum: number, { length }: { readonly length: number }): number {
  return sum + length;
}
