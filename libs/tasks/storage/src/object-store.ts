/**
 * Where every artefact of a run lives. Objects are written once and never changed, so every reader of one reads the
 * same bytes for ever, and two writers of the same work cannot do harm.
 *
 * All methods reject with a {@link StorageError}, which says whether trying again can help; adapters have already tried
 * again where the failure was a passing one.
 */
export interface ObjectStore {
  /**
   * Create-only: of any number of writers of one name exactly one gets `created`. When the name is taken the stored
   * bytes are compared: equal ones are `exists`, a success. On return the object outlives a crash of the machine.
   *
   * @throws StorageError `conflict` (permanent) where other bytes are stored under the name
   */
  put(name: string, bytes: Uint8Array): Promise<PutResult>;

  /**
   * The bytes of an object, or what of `range` lies within it (nothing, where the object ends before the range).
   *
   * @throws StorageError `missing` (permanent) where there is no such object
   */
  get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>>;

  /** Name, size and time, or null where there is no such object. */
  head(name: string): Promise<ObjectEntry | null>;

  /**
   * The objects whose names begin with `prefix` (a plain string: `runs/a` finds `runs/ab/c`), in ascending byte order
   * of their names. Fewer entries than `limit` mean that there are no more; {@link listAll} asks for page after page.
   */
  list(prefix: string, options?: ListOptions): Promise<readonly ObjectEntry[]>;

  /** Removes an object; one that is not there is a success. */
  delete(name: string): Promise<void>;
}

export type PutResult = 'created' | 'exists';

/** Bytes `start` to `end`, the end exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ObjectEntry {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /**
   * When it was stored, in milliseconds since 1970, by the store's clock. Good for what is kept for a day; nothing that
   * must be right may depend on it.
   */
  readonly storedAt: number;
}

export interface ListOptions {
  /** Only names after this one, in byte order. */
  readonly after?: string;
  /**
   * 1 to 1,000.
   * @default 1000
   */
  readonly limit?: number;
}

export const largestPage = 1000;

/**
 * All objects under a prefix, page after page.
 *
 * @param after only names after this one, in byte order
 */
export async function* listAll(
  store: ObjectStore,
  prefix: string,
  after?: string,
): AsyncGenerator<ObjectEntry, void, undefined> {
  let page = await store.list(prefix, after === undefined ? {} : { after });
  for (;;) {
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < largestPage) return;
    page = await store.list(prefix, { after: last.name });
  }
}

/** The same in memory, where they are needed together. */
export async function entriesBelow(store: ObjectStore, prefix: string): Promise<ObjectEntry[]> {
  const entries: ObjectEntry[] = [];
  for await (const entry of listAll(store, prefix)) entries.push(entry);
  return entries;
}
