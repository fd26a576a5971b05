import {
  largestPage,
  StorageError,
  type ByteRange,
  type ListOptions,
  type ObjectEntry,
  type ObjectStore,
  type PutResult,
} from '@orchard/storage';

export interface OverlayParts {
  /** Is read, and never written to. */
  readonly base: ObjectStore;
  /** Takes all that is written. */
  readonly top: ObjectStore;
  /** Takes a copy of every object of the base that is read; null where none is wanted. */
  readonly copies: ObjectStore | null;
  /** Whether an object of the base is to be as if it were not there. */
  readonly isHidden: (name: string) => boolean;
}

/** A store over another that stays as it is: what is written and deleted here is seen here alone. */
export class OverlayStore implements ObjectStore {
  readonly #deleted = new Set<string>();

  constructor(private readonly parts: OverlayParts) {}

  async put(name: string, bytes: Uint8Array): Promise<PutResult> {
    const { base, top } = this.parts;
    if (!this.#isOfBase(name) || (await base.head(name)) === null) return top.put(name, bytes);
    if (Buffer.compare(await base.get(name), bytes) === 0) return 'exists';
    throw new StorageError('conflict', {
      got: 'other bytes than those that are stored',
      expected: 'the same bytes again',
      where: name,
      remedy: 'The same work must end in the same bytes: please report it with the data set and options.',
    });
  }

  async get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    const { base, top, copies } = this.parts;
    if (!this.#isOfBase(name) || (await top.head(name)) !== null) return top.get(name, range);
    if (copies === null) return base.get(name, range);
    if ((await copies.head(name)) === null) await copies.put(name, await base.get(name));
    return copies.get(name, range);
  }

  async head(name: string): Promise<ObjectEntry | null> {
    const { base, top } = this.parts;
    return (await top.head(name)) ?? (this.#isOfBase(name) ? base.head(name) : null);
  }

  /** A page of each, in one order: whatever comes after the end of a page that is full may not be all there is. */
  async list(prefix: string, options: ListOptions = {}): Promise<readonly ObjectEntry[]> {
    const { base, top } = this.parts;
    const limit = options.limit ?? largestPage;
    const found = new Map<string, ObjectEntry>();
    let { after } = options;
    while (found.size < limit) {
      const page = await base.list(prefix, after === undefined ? {} : { after });
      for (const entry of page) if (this.#isOfBase(entry.name)) found.set(entry.name, entry);
      after = page.at(-1)?.name;
      if (page.length < largestPage) break;
    }
    for (const entry of await top.list(prefix, options)) found.set(entry.name, entry);
    return [...found.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))).slice(0, limit);
  }

  async delete(name: string): Promise<void> {
    this.#deleted.add(name);
    await this.parts.top.delete(name);
  }

  #isOfBase(name: string): boolean {
    return !this.#deleted.has(name) && !this.parts.isHidden(name);
  }
}
