// What two commands of one clone must not do at once: the second waits for the first.
import { createHash } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How often the second looks, in milliseconds. */
const LOOK_EVERY = 250;

/**
 * @param {string} folder what no other process may change meanwhile
 * @param {() => Promise<void>} work may end the process
 * @param {() => void} onWait called once where another process is at it
 */
export async function oneAtATime(folder, work, onWait) {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `orchard-${name}.lock`);
  for (let isFirst = true; !take(lock); isFirst = false) {
    if (isFirst) onWait();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Whether the lock is ours now; one of a process that has died is taken over. */
function take(lock) {
  // with its number from the start: a process may die at any time
  const own = `${lock}.${String(process.pid)}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  if (!isAlive(lock)) rmSync(lock, { force: true });
  return false;
}

function isAlive(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    // of another user; otherwise it has died, or has just taken its lock away
    return error.code === 'EPERM';
  }
}
