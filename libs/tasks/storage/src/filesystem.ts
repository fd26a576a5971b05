import { constants } from 'node:fs';
import { link, lstat, open, readdir, realpath, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { differs, missing, StorageError } from './errors.js';
import { chunk, readBytes } from './file-bytes.js';
import { failure, hasCode } from './filesystem-errors.js';
import { makeFolder } from './folders.js';
import { checkList, checkName, checkRange, isName } from './names.js';
import {
  largestPage,
  type ByteRange,
  type ListOptions,
  type ObjectEntry,
  type ObjectStore,
  type PutResult,
} from './object-store.js';
import { Temporaries } from './temporaries.js';

/**
 * Objects as files under a root folder, for one machine or a shared file system that knows hard links.
 *
 * An object is written whole to a temporary file, synced, and then linked to its name. A link is made or not made, and
 * fails where the name is taken, so no reader ever sees part of an object, and exactly one writer of a name wins
 * whatever crashes. Folders are synced after it. Temporaries live in a folder of the root that no name can reach.
 */
export class FilesystemStore implements ObjectStore {
  readonly #root: string;
  readonly #temporaries: Temporaries;
  /** Folders of which this process knows that they and all above them outlive a crash. */
  readonly #durable = new Set<string>();

  private constructor(root: string) {
    this.#root = root;
    this.#temporaries = new Temporaries(join(root, '.incomplete'));
  }

  /** Makes the root where it is missing, and clears away what crashed writers left. */
  static async open(root: string): Promise<FilesystemStore> {
    try {
      await makeFolder(resolve(root));
      const store = new FilesystemStore(await realpath(root));
      await store.#temporaries.clean();
      return store;
    } catch (error) {
      throw failure(root, error);
    }
  }

  async put(name: string, bytes: Uint8Array): Promise<PutResult> {
    checkName(name);
    try {
      if ((await this.head(name)) !== null) return await this.#compare(name, bytes);
      return await this.#temporaries.using(async (temporary, file) => {
        await writeAll(file, bytes);
        await file.sync();
        return (await this.#link(temporary, name)) ? 'created' : await this.#compare(name, bytes);
      });
    } catch (error) {
      throw failure(name, error);
    }
  }

  async get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    checkName(name);
    if (range) checkRange(name, range);
    try {
      return await this.#read(name, async (file) => {
        const { size } = await file.stat();
        return await readBytes(file, name, Math.min(range?.start ?? 0, size), Math.min(range?.end ?? size, size));
      });
    } catch (error) {
      throw hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR') ? missing(name, error) : failure(name, error);
    }
  }

  async head(name: string): Promise<ObjectEntry | null> {
    checkName(name);
    try {
      const found = await lstat(await this.#path(name));
      return found.isFile() ? { name, size: found.size, storedAt: found.mtimeMs } : null;
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
      throw failure(name, error);
    }
  }

  async list(prefix: string, options: ListOptions = {}): Promise<readonly ObjectEntry[]> {
    checkList(prefix, options);
    const { after = '', limit = largestPage } = options;
    const entries: ObjectEntry[] = [];
    try {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      await this.#path(`${folder}any`);
      let batch: string[] = [];
      for await (const name of this.#walk(folder, prefix, after)) {
        batch.push(name);
        if (batch.length < limit - entries.length) continue;
        for (const entry of await this.#sizes(batch)) entries.push(entry);
        batch = [];
        if (entries.length === limit) return entries;
      }
      for (const entry of await this.#sizes(batch)) entries.push(entry);
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return entries;
      throw failure(prefix, error);
    }
    return entries;
  }

  async delete(name: string): Promise<void> {
    checkName(name);
    try {
      const path = await this.#path(name);
      await unlink(path);
      await syncFolder(dirname(path));
      await this.#prune(dirname(path));
    } catch (error) {
      // unlinking a folder answers EPERM, EISDIR or ENOENT, depending on the system: no object has that name
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return;
      if (hasCode(error, 'EPERM') && (await this.head(name)) === null) return;
      throw failure(name, error);
    }
  }

  /** The file of a name; refused where a symbolic link on the way leads out of the root. */
  async #path(name: string): Promise<string> {
    const path = join(this.#root, name);
    const folder = dirname(path);
    if (!((await realpath(folder)) + sep).startsWith(this.#root + sep)) {
      throw new StorageError('invalid-name', {
        got: 'a folder that is a link to a place outside the store',
        expected: 'folders within the store',
        where: name,
        remedy: `Remove the link at ${folder}.`,
      });
    }
    return path;
  }

  async #read<T>(name: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
    // O_NOFOLLOW is not defined on every system
    const file = await open(await this.#path(name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  }

  async #compare(name: string, bytes: Uint8Array): Promise<PutResult> {
    const { size = 0 } = (await this.head(name)) ?? {};
    if (size !== bytes.length) throw differs(name, size, bytes.length);
    // the caller holds the whole already: what is stored is never in memory beside it
    for (let start = 0; start < size; start += chunk) {
      const stored = await this.get(name, { start, end: start + chunk });
      if (Buffer.compare(stored, bytes.subarray(start, start + chunk)) !== 0) throw differs(name, size, bytes.length);
    }
    // the winner may have crashed between its link and its sync
    await this.#syncFolders(dirname(join(this.#root, name)), false);
    return 'exists';
  }

  /** Gives a synced temporary its name; false where the name is taken. */
  async #link(temporary: string, name: string): Promise<boolean> {
    const folder = dirname(join(this.#root, name));
    for (let attempt = 1; ; attempt += 1) {
      try {
        const made = await makeFolder(folder);
        await link(temporary, await this.#path(name));
        await this.#syncFolders(folder, made);
        return true;
      } catch (error) {
        if (hasCode(error, 'EEXIST') && (await this.head(name)) !== null) return false;
        // a delete at the same moment took the empty folder away between the two calls
        if (hasCode(error, 'ENOENT') && attempt < 100) continue;
        throw error;
      }
    }
  }

  async #syncFolders(folder: string, fresh: boolean): Promise<void> {
    await syncFolder(folder);
    if (!fresh && this.#durable.has(folder)) return;
    for (let above = folder; above !== this.#root; above = dirname(above)) await syncFolder(dirname(above));
    this.#durable.add(folder);
  }

  /** Takes away folders that a delete left empty. */
  async #prune(folder: string): Promise<void> {
    for (let empty = folder; empty !== this.#root; empty = dirname(empty)) {
      try {
        await rmdir(empty);
        this.#durable.clear();
      } catch (error) {
        if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'EPERM', 'EACCES', 'EBUSY')) return;
        throw error;
      }
    }
  }

  async #sizes(names: readonly string[]): Promise<ObjectEntry[]> {
    const found = await Promise.all(names.map((name) => lstat(join(this.#root, name)).catch(nullWhenMissing)));
    return names.flatMap((name, index) => {
      const file = found[index];
      return file?.isFile() ? [{ name, size: file.size, storedAt: file.mtimeMs }] : [];
    });
  }

  /** Names in byte order: a folder stands where its slash puts it, so `a-b`, `a/b`, `a0`. */
  async *#walk(folder: string, prefix: string, after: string): AsyncGenerator<string, void, undefined> {
    let found;
    try {
      found = await readdir(join(this.#root, folder), { withFileTypes: true });
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return;
      throw error;
    }
    const names = found
      .filter((entry) => (entry.isDirectory() || entry.isFile()) && isName(entry.name))
      .map((entry) => folder + entry.name + (entry.isDirectory() ? '/' : ''))
      .filter((name) => name.startsWith(prefix))
      .sort((a, b) => (a < b ? -1 : 1));
    for (const name of names) {
      if (!name.endsWith('/')) {
        if (name > after) yield name;
      } else if (name > after || after.startsWith(name)) yield* this.#walk(name, prefix, after);
    }
  }
}

function nullWhenMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
  throw error;
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += (await file.write(bytes, at, Math.min(chunk, bytes.length - at), at)).bytesWritten;
  }
}

/** Makes the entries of a folder outlive a crash; Windows does so by itself and refuses to be asked. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  let handle;
  try {
    handle = await open(folder, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return; // a delete took it away with all that was in it
    throw error;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
