import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './filesystem-errors.js';

/**
 * Makes a folder and those above it, level by level: the recursive mode of Node's own mkdir never returns where a folder
 * that is there answers ENOENT, as those of /proc do.
 *
 * @returns whether any was made
 */
export async function makeFolder(path: string): Promise<boolean> {
  try {
    return await makeOne(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
  }
  const above = await makeFolder(dirname(path));
  return (await makeOne(path)) || above;
}

/** False where a folder has the name already, whatever the system answers to making it again. */
async function makeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() !== true) throw error;
    return false;
  }
}
