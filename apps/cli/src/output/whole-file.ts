import { randomBytes } from 'node:crypto';
import { rmSync, type Stats } from 'node:fs';
import { open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** What a file is to hold: whole, or piece after piece. */
export type Content = Uint8Array | string | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Names are at most 255 bytes on all common file systems; what is added to a temporary one takes 30 of them. */
const LONGEST_BASE = 56;

/**
 * Writes a file that appears whole or not at all: to a temporary one in the same folder, synced, then renamed. A file
 * that is there stays as it is until then, and its mode and owner are kept; a symbolic link stays one. What is not a
 * file (a pipe, a device) is written as it comes.
 *
 * @param mode of a file that was not there, less the process's umask
 * @throws the system's own error, with nothing left behind
 */
export async function writeWhole(path: string, content: Content, mode = 0o666): Promise<void> {
  const present = await stat(path).catch(nullWhereMissing);
  if ((present !== null && !present.isFile()) || /^\/(dev|proc)\//.test(resolve(path))) {
    const file = await open(path, 'w');
    try {
      await writeFile(file, content);
    } finally {
      await file.close();
    }
    return;
  }
  const target = present === null ? path : await realpath(path);
  const temporary = join(dirname(target), temporaryName(basename(target)));
  unfinished.add(temporary);
  try {
    await writeSynced(temporary, content, mode, present);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    unfinished.delete(temporary);
  }
  await syncFolder(dirname(target));
}

async function writeSynced(path: string, content: Content, mode: number, like: Stats | null): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    if (like !== null) {
      // only root may give a file away
      await file.chown(like.uid, like.gid).catch(() => undefined);
      await file.chmod(like.mode & 0o7777);
    }
    await writeFile(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}

function temporaryName(base: string): string {
  return `.${base.slice(0, LONGEST_BASE)}.${String(process.pid)}.${randomBytes(4).toString('hex')}.part`;
}

/** That the name outlives a crash of the machine; some systems sync no folders. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Temporary files under way: removed when the process ends, or is ended by a signal without another handler. */
class Unfinished {
  readonly #paths = new Set<string>();

  add(path: string): void {
    if (this.#paths.size === 0) {
      process.on('exit', this.#removeAll);
      for (const signal of signals) process.on(signal, this.#end);
    }
    this.#paths.add(path);
  }

  delete(path: string): void {
    this.#paths.delete(path);
    if (this.#paths.size > 0) return;
    process.off('exit', this.#removeAll);
    for (const signal of signals) process.off(signal, this.#end);
  }

  readonly #removeAll = (): void => {
    for (const path of this.#paths) rmSync(path, { force: true });
  };

  readonly #end = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return;
    this.#removeAll();
    process.off(signal, this.#end);
    process.kill(process.pid, signal);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const unfinished = new Unfinished();
