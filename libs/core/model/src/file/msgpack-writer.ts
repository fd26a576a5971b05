import { Packr } from 'msgpackr';
import { ModelError } from '../errors.js';
import type { NumberArray } from './number-array.js';

/** Plain msgpack with the shortest headers: no records, no extensions, doubles as doubles. */
export const MSGPACK_OPTIONS = {
  useRecords: false,
  variableMapSize: true,
  moreTypes: false,
  structuredClone: false,
} as const;

/**
 * Writes a msgpack value from its beginning to its end, once, into memory of its size: arrays are most of a file, and
 * joining and packing them first would copy them three times.
 */
export class MsgpackWriter {
  readonly #packr = new Packr(MSGPACK_OPTIONS);
  readonly #pieces: (Uint8Array | NumberArray)[] = [];

  /** Opens a map; its keys and values have to follow. */
  map(entries: number): this {
    this.#pieces.push(entries < 16 ? Uint8Array.of(0x80 | entries) : Uint8Array.of(0xde, entries >>> 8, entries));
    return this;
  }

  /** Nil, booleans, numbers, text, lists, maps of these. */
  plain(value: unknown): this {
    this.#pieces.push(this.#packr.pack(value));
    return this;
  }

  binary(array: NumberArray): this {
    this.#pieces.push(binaryHeader(array.byteLength), array);
    return this;
  }

  /** Of all that was written so far. */
  get byteLength(): number {
    return this.#pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  toBytes(): Uint8Array {
    const file = new Uint8Array(this.byteLength);
    let at = 0;
    for (const piece of this.#pieces) {
      for (const bytes of piece instanceof Uint8Array ? [piece] : piece.pieces()) {
        file.set(bytes, at);
        at += bytes.length;
      }
    }
    return file;
  }
}

/** What stands before a binary string in msgpack, the shortest of its three forms. */
function binaryHeader(length: number): Uint8Array {
  if (length < 2 ** 8) return Uint8Array.of(0xc4, length);
  if (length < 2 ** 16) return Uint8Array.of(0xc5, length >>> 8, length);
  if (length < 2 ** 32) return Uint8Array.of(0xc6, length >>> 24, length >>> 16, length >>> 8, length);
  throw new ModelError('invalid-network', {
    got: `an array of ${length} bytes`,
    expected: 'less than 4 GiB, the most that msgpack holds',
    remedy: 'Train fewer rounds or smaller trees.',
  });
}
