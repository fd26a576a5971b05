import type { DataFolder } from './index.mjs';

/** A folder that cannot be the one of a cluster, told as what was got and what is expected. */
export class DataFolderError extends Error {}

/**
 * Takes the folder for this process, and makes it where it is not there.
 *
 * @param say - told what takes long
 * @throws DataFolderError where it is of something else or in use, or cannot be written to; what is in it is as it was
 *   then
 */
export function openDataFolder(path: string, say?: (line: string) => void): Promise<DataFolder>;
