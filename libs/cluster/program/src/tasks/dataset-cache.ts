import { artefactNames } from '@orchard/pipeline';
import {
  makeFolder,
  readWholeFile,
  type ByteRange,
  type ListOptions,
  type ObjectEntry,
  type ObjectStore,
  type PutResult,
} from '@orchard/storage';
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkRows } from '../checked-rows.js';

export interface DatasetCacheOptions {
  readonly directory: string;
  /** The least recently used go when all together take more. */
  readonly bytes: number;
  /** Called for a cache that cannot be written or read; the store is asked instead. */
  readonly onFailure: (error: unknown) => void;
  readonly onRead?: (where: 'cache' | 'store') => void;
}

const ending = '.rows';

/**
 * A store that keeps the data sets it was asked for on this machine's disk, for all workers on it. What a file
 * holds is checked on reading by its content hash, which is its name: what is damaged is fetched again.
 */
export class DatasetCache implements ObjectStore {
  /** The ids of the data sets on this machine's disk, as of the last look. */
  cached: readonly string[] = [];

  constructor(
    private readonly store: ObjectStore,
    private readonly options: DatasetCacheOptions,
  ) {}

  async get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    if (range !== undefined || !name.startsWith(artefactNames.datasets) || name.endsWith('.facts')) {
      return this.store.get(name, range);
    }
    const id = name.slice(artefactNames.datasets.length);
    const cached = await this.#read(id).catch(this.options.onFailure);
    this.options.onRead?.(cached ? 'cache' : 'store');
    if (cached) return cached;
    const { bytes, isIntact } = await checkRows(await this.store.get(name), id);
    // what the store has damaged is not kept: it may be healed there
    if (isIntact) await this.#keep(id, bytes).catch(this.options.onFailure);
    return bytes;
  }

  /** Whether a data set is on this machine's disk, fetched by any worker on it. */
  async has(id: string): Promise<boolean> {
    await this.look();
    return this.cached.includes(id);
  }

  /** Looks which data sets are there. */
  async look(): Promise<void> {
    const files = await readdir(this.options.directory).catch(() => []);
    this.cached = files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
  }

  put(name: string, bytes: Uint8Array): Promise<PutResult> {
    return this.store.put(name, bytes);
  }

  head(name: string): Promise<ObjectEntry | null> {
    return this.store.head(name);
  }

  list(prefix: string, options?: ListOptions): Promise<readonly ObjectEntry[]> {
    return this.store.list(prefix, options);
  }

  delete(name: string): Promise<void> {
    return this.store.delete(name);
  }

  async #read(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const { directory } = this.options;
    for (const file of await readdir(directory).catch(() => [])) {
      if (!file.startsWith(`${id}.`) || file.endsWith('.part')) continue;
      const path = join(directory, file);
      const { bytes, isIntact } = await checkRows(new Uint8Array(await readWholeFile(path)), id);
      if (isIntact) {
        await utimes(path, new Date(), new Date()).catch(() => undefined);
        return bytes;
      }
      await rm(path, { force: true });
    }
    return null;
  }

  async #keep(id: string, bytes: Uint8Array): Promise<void> {
    const { directory, bytes: limit } = this.options;
    if (bytes.length > limit) return;
    await makeFolder(directory);
    await this.#makeRoom(limit - bytes.length);
    const path = join(directory, `${id}${ending}`);
    const part = `${path}.${randomUUID()}.part`;
    try {
      await writeFile(part, bytes);
      await rename(part, path);
      await this.look();
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async #makeRoom(limit: number): Promise<void> {
    const { directory } = this.options;
    const files = await Promise.all(
      (await readdir(directory)).map(async (file) => {
        const path = join(directory, file);
        const found = await stat(path).catch(() => null);
        return { path, size: found?.size ?? 0, used: found?.mtimeMs ?? 0 };
      }),
    );
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files.sort((a, b) => a.used - b.used)) {
      if (total <= limit) return;
      await rm(path, { force: true });
      total -= size;
    }
  }
}
