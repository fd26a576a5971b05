import { randomUUID } from 'node:crypto';
import { open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hasCode } from './filesystem-errors.js';
import { makeFolder } from './folders.js';

/** A writer holds a whole object in memory; one that has not finished after this time is dead. */
const abandonedAfter = 3_600_000;

/** Files being written, named after their writer: `<pid>.<random>.<host>`. */
export class Temporaries {
  constructor(private readonly folder: string) {}

  /** Opens a new file for the time of one use; it is gone afterwards, whatever happened. */
  async using<T>(use: (path: string, file: FileHandle) => Promise<T>): Promise<T> {
    await makeFolder(this.folder);
    const path = join(this.folder, `${process.pid}.${randomUUID()}.${hostname()}`);
    const file = await open(path, 'wx');
    try {
      return await use(path, file);
    } finally {
      await file.close();
      await unlink(path).catch(ignoreMissing);
    }
  }

  /**
   * Removes what dead writers left: those of this machine whose process is gone, and any an hour old. Should a living
   * one be hit, its link fails and its put is tried again: nothing wrong is ever stored.
   */
  async clean(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names) {
      const path = join(this.folder, name);
      const [pid = '', , ...host] = name.split('.');
      const gone = host.join('.') === hostname() && !isAlive(Number(pid));
      const age = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Infinity);
      if (gone || age > abandonedAfter) await unlink(path).catch(ignoreMissing);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

function ignoreMissing(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}
