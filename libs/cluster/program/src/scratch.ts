import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a folder of this process the place of temporary files, of its threads too, until it exits; and removes those of
 * processes of this machine that were killed: a copy of the rows of a bucket, or of an upload, is as large as the rows.
 * Where nothing can be written the place stays as it was: a program that makes no copies needs none. To be called once,
 * before any such file is made.
 *
 * @param program whose these are: what it left behind is its own to remove
 */
export function ownScratch(program: 'worker' | 'coordinator'): void {
  const folder = madeFolder(tmpdir(), `orchard-${program}-${hostname()}-`);
  if (folder === null) return;
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function madeFolder(place: string, ours: string): string | null {
  try {
    removeLeftovers(place, ours);
    return mkdtempSync(join(place, `${ours}${process.pid}-`));
  } catch {
    return null;
  }
}

function removeLeftovers(place: string, ours: string): void {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(ours)) continue;
    const pid = Number(name.slice(ours.length).split('-')[0]);
    // in a container that is started again every process has the number of the one before
    const isGone = pid === process.pid || !isAlive(pid);
    if (Number.isSafeInteger(pid) && pid > 0 && isGone) rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
