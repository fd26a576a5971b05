import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './filesystem-errors.js';

/**
 * Makes a folder and those above it, level by level: the recursive mode of Node's own mkdir never returns where a
 * folder that is there answers ENOENT, as those of /proc do.
 *
 * @param mode of those that are made, less the process's umask
 * @returns whether any was made
 * @throws the system's own error where one cannot be made
 */
export async function makeFolder(path: string, mode = 0o777): Promise<boolean> {
  try {
    return await makeOne(path, mode);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
  }
  const above = await makeFolder(dirname(path), mode);
  return (await makeOne(path, mode)) || above;
}

/** False where a folder has the name already, whatever the system answers to making it again. */
async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() !== true) throw error;
    return false;
  }
}
