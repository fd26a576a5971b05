import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../output/errors.js';

/** The folders that a server may read and write below. Symbolic links are followed before anything is compared. */
export class AllowedFolders {
  /** Absolute, without symbolic links; relative paths are taken from the first. */
  readonly folders: readonly string[];

  /** @throws UsageError for a path that is not a folder */
  constructor(folders: readonly string[]) {
    this.folders = folders.map((folder) => {
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(folder);
      throw new UsageError({
        got: `${folder}, which is not a folder`,
        expected: 'folders that the assistant may use',
        where: '--allow',
        remedy: 'Name folders that exist.',
      });
    });
  }

  get first(): string {
    return this.folders[0]!;
  }

  /**
   * The path of something that exists, as a command may be given it.
   *
   * @param where how the caller calls it
   * @throws UsageError for what is not there or lies elsewhere, and for a folder with a link that leads elsewhere
   */
  async toRead(path: string, where: string): Promise<string> {
    const place = this.#placeOf(path, where);
    if (!existsSync(place)) {
      const remedy = `Name a file or folder below ${this.folders.join(', ')}.`;
      throw new UsageError({ got: `${path}, which is not there`, expected: 'a path that exists', where, remedy });
    }
    await this.#refuseLinksIn(place, where);
    return place;
  }

  /** The path of what a command is to write, whether it exists or not. @throws UsageError as {@link toRead} */
  async toWrite(path: string, where: string): Promise<string> {
    const place = this.#placeOf(path, where);
    await this.#refuseLinksIn(place, where);
    return place;
  }

  /** Where a path leads: links are followed as far as it exists. */
  #placeOf(path: string, where: string): string {
    const asked = resolve(this.first, path);
    let existing = asked;
    while (lstatSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing);
    const real = realPathOf(existing);
    if (real !== null && this.#holds(real)) return join(real, relative(existing, asked));
    throw this.#elsewhere(path, where);
  }

  #holds(real: string): boolean {
    return this.folders.some(
      (folder) => real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep),
    );
  }

  /** A command follows the links of the folders that it reads and writes. */
  async #refuseLinksIn(place: string, where: string): Promise<void> {
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return;
    for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
      if (!entry.isSymbolicLink()) continue;
      const link = join(entry.parentPath, entry.name);
      const real = realPathOf(link);
      if (real === null || !this.#holds(real)) throw this.#elsewhere(`${link}, a link`, where);
    }
  }

  #elsewhere(got: string, where: string): UsageError {
    return new UsageError({
      got,
      expected: `a path below ${this.folders.join(', ')}`,
      where,
      remedy: 'Use a path there, or ask the user to start `orchard mcp` with --allow for that folder.',
    });
  }
}

/** Null for a link that leads nowhere: what is written to it would be made where it points. */
function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
