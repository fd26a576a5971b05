import { damaged, shown } from './damaged.js';
import { unpackFloats, unpackIntegers } from './little-endian.js';
import type { NumberArray } from './number-array.js';
import { unpackedFloats, unpackedIntegers } from './packed-numbers.js';
import type { UnpackingRoom } from './unpacking.js';

/** What a family writes: named arrays, in this order. */
export type BodyArrays = Readonly<Record<string, NumberArray>>;

/** What a family reads: the arrays of a file of unknown origin, by name, once their sizes are known. */
export class ModelBody {
  /**
   * @param room for what the file and its members unpack to
   * @param isPacked whether numbers are packed, as in files of version 5
   */
  constructor(
    private readonly fields: Readonly<Record<string, unknown>>,
    readonly room: UnpackingRoom,
    private readonly isPacked = false,
  ) {}

  /** Whether there is an array of that name, where a family writes it for some of its models alone. */
  has(key: string): boolean {
    return Object.hasOwn(this.fields, key);
  }

  /** @throws ModelError `not-a-network-file` where there are other arrays than these, or fewer */
  requireOnly(keys: readonly string[]): void {
    const odd = Object.keys(this.fields).find((key) => !keys.includes(key));
    if (odd !== undefined) throw damaged('body', `a field ${JSON.stringify(odd)}`, `only ${keys.join(', ')}`);
    const missing = keys.find((key) => !Object.hasOwn(this.fields, key));
    if (missing !== undefined) throw damaged('body', 'fewer fields', `a field ${JSON.stringify(missing)}`);
  }

  /** @throws ModelError `not-a-network-file` unless there are `count` of them */
  integers(key: string, count: number): Uint32Array {
    if (this.isPacked) this.room.take(count, key);
    return this.read(key, `${count} integers of 1, 2 or 4 bytes each`, (bytes) =>
      this.isPacked ? unpackedIntegers(bytes, count) : unpackIntegers(bytes, count),
    );
  }

  /** @throws ModelError `not-a-network-file` unless there are `count` of them */
  floats(key: string, count: number): Float64Array {
    if (this.isPacked) this.room.take(count, key);
    return this.read(key, `${count} numbers of 8 bytes each`, (bytes) =>
      this.isPacked ? unpackedFloats(bytes, count) : unpackFloats(bytes, count),
    );
  }

  /** As they are. @throws ModelError `not-a-network-file` where there are none */
  bytes(key: string): Uint8Array {
    return this.read(key, 'bytes', (bytes) => bytes);
  }

  private read<T>(key: string, expected: string, unpack: (bytes: Uint8Array) => T | null): T {
    const bytes = Object.hasOwn(this.fields, key) ? this.fields[key] : null;
    const values = bytes instanceof Uint8Array ? unpack(bytes) : null;
    if (values === null) throw damaged(key, shown(bytes), expected);
    return values;
  }
}
