import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const beginning = 'orchard-worker-';

/**
 * Makes a folder of this process the place of temporary files, of its threads too, until it exits; and removes those of
 * processes of this machine that were killed: a copy of the rows of a bucket is as large as the rows. Where nothing can
 * be written the place stays as it was: a program that makes no copies needs none.
 */
export function ownScratch(): void {
  const folder = madeFolder(tmpdir());
  if (folder === null) return;
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function madeFolder(place: string): string | null {
  try {
    removeLeftovers(place);
    return mkdtempSync(join(place, `${beginning}${hostname()}-${process.pid}-`));
  } catch {
    return null;
  }
}

function removeLeftovers(place: string): void {
  const ours = `${beginning}${hostname()}-`;
  for (const name of readdirSync(place)) {
    if (!name.startsWith(ours)) continue;
    const pid = Number(name.slice(ours.length).split('-')[0]);
    if (Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid))
      rmSync(join(place, name), { recursive: true, force: true });
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
