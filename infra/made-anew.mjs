// A folder that is made anew, and comes back as it was where that does not end.
import { existsSync, renameSync, rmSync } from 'node:fs';

/**
 * @param {string} folder
 * @param {string} aside where the folder lies meanwhile, on the same disk
 * @param {() => Promise<void>} make makes the folder; may end the process
 */
export async function madeAnew(folder, aside, make) {
  // of a process that was killed
  bringBack(folder, aside);
  if (!existsSync(folder)) {
    await make();
    return;
  }
  renameSync(folder, aside);
  const back = () => bringBack(folder, aside);
  process.once('exit', back);
  try {
    await make();
  } catch (error) {
    back();
    throw error;
  } finally {
    process.off('exit', back);
  }
  // by another name first: half of it must not come back
  const old = `${aside}.old`;
  rmSync(old, { recursive: true, force: true });
  renameSync(aside, old);
  rmSync(old, { recursive: true, force: true });
}

/**
 * @param {string} folder
 * @param {string} aside
 */
function bringBack(folder, aside) {
  if (!existsSync(aside)) return;
  rmSync(folder, { recursive: true, force: true });
  renameSync(aside, folder);
}
