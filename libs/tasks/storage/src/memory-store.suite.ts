import { setImmediate as nextTurn } from 'node:timers/promises';
import { differs, missing } from './errors.js';
import {
  largestPage,
  type ByteRange,
  type ListOptions,
  type ObjectEntry,
  type ObjectStore,
  type PutResult,
} from './index.js';
import { checkList, checkName, checkRange } from './names.js';

interface Kept {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly storedAt: number;
}

/**
 * Objects of one test, without a file: to write, sync and remove small ones on a disk takes a quarter of a run that
 * trains a small model.
 */
export class MemoryStore implements ObjectStore {
  readonly #objects = new Map<string, Kept>();

  async put(name: string, bytes: Uint8Array): Promise<PutResult> {
    checkName(name);
    await nextTurn();
    const stored = this.#objects.get(name)?.bytes;
    if (stored === undefined) {
      this.#objects.set(name, { bytes: new Uint8Array(bytes), storedAt: Date.now() });
      return 'created';
    }
    if (Buffer.compare(stored, bytes) !== 0) throw differs(name, stored.length, bytes.length);
    return 'exists';
  }

  async get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    checkName(name);
    if (range) checkRange(name, range);
    await nextTurn();
    const stored = this.#objects.get(name)?.bytes;
    if (stored === undefined) throw missing(name);
    return stored.slice(range?.start, range?.end);
  }

  async head(name: string): Promise<ObjectEntry | null> {
    checkName(name);
    await nextTurn();
    return this.#entryOf(name);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<readonly ObjectEntry[]> {
    checkList(prefix, options);
    const { after = '', limit = largestPage } = options;
    await nextTurn();
    const names = [...this.#objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
    return names.slice(0, limit).map((name) => this.#entryOf(name)!);
  }

  async delete(name: string): Promise<void> {
    checkName(name);
    await nextTurn();
    this.#objects.delete(name);
  }

  #entryOf(name: string): ObjectEntry | null {
    const stored = this.#objects.get(name);
    return stored === undefined ? null : { name, size: stored.bytes.length, storedAt: stored.storedAt };
  }
}
