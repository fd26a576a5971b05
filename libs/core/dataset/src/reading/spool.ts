import { rmSync } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatasetError } from '../errors.js';

/** Folders that are there: a table of many parts has as many, and they go with the process at the latest. */
const folders = new Set<string>();

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** What files are called that other libraries wrote there, by their paths. */
const names = new Map<string, string>();

/** What a file is called in words: as what it is a copy of, or else by its path. */
export function shownName(path: string): string {
  return names.get(path) ?? path;
}

/** A temporary folder for copies, made for the first. */
export class Spool {
  #folder: string | null = null;
  #copies = 0;

  constructor(readonly name: string) {}

  /** Writes bytes to a file. @returns its path */
  async keep(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const { file, path } = await this.#open();
    try {
      for await (const chunk of bytes) await this.write(file, chunk);
    } finally {
      await file.close();
    }
    return path;
  }

  /** A file that is written and read; the caller closes it. */
  async create(): Promise<FileHandle> {
    return (await this.#open()).file;
  }

  /** A path in the folder for a file that another library writes, which is called as this one. */
  async pathFor(name: string): Promise<string> {
    const path = join(await this.#makeFolder(), name);
    names.set(path, this.name);
    return path;
  }

  /** Writes bytes behind those that are there. */
  async write(file: FileHandle, bytes: Uint8Array): Promise<void> {
    await file.writeFile(bytes).catch((cause: unknown) => this.#refuse(cause));
  }

  async remove(): Promise<void> {
    const folder = this.#folder;
    this.#folder = null;
    if (folder === null) return;
    for (const path of names.keys()) if (dirname(path) === folder) names.delete(path);
    await rm(folder, { recursive: true, force: true });
    folders.delete(folder);
    if (folders.size === 0) process.off('exit', removeAll);
  }

  async #open(): Promise<{ readonly file: FileHandle; readonly path: string }> {
    const path = join(await this.#makeFolder(), String(this.#copies++));
    const file = await open(path, 'wx+', 0o600).catch((cause: unknown) => this.#refuse(cause));
    return { file, path };
  }

  async #makeFolder(): Promise<string> {
    if (this.#folder !== null) return this.#folder;
    this.#folder = await mkdtemp(join(tmpdir(), 'orchard-table-')).catch((cause: unknown) => this.#refuse(cause));
    if (folders.size === 0) process.once('exit', removeAll);
    folders.add(this.#folder);
    return this.#folder;
  }

  #refuse(cause: unknown): never {
    throw new DatasetError(
      'source',
      {
        got: `an error while keeping a copy of it in ${tmpdir()} (${(cause as Error).message})`,
        expected: 'room for the whole: a table is read more than once',
        where: this.name,
        remedy: 'Give an unpacked file, or set TMPDIR to a folder with room.',
      },
      { cause },
    );
  }
}
