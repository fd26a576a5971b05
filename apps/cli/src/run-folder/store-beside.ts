import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DensityModel } from '@orchard/model';
import { judgingRows, type JudgingRows } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';

/** The store of the run whose model lies in this file; null where the file does not lie in the folder of its run. */
export async function storeBeside(networkFile: string): Promise<FilesystemStore | null> {
  const store = join(dirname(networkFile), 'store');
  return existsSync(store) ? FilesystemStore.open(store) : null;
}

/**
 * Rows that trained nothing of the model in this file, which its run kept: its test rows, or its validation rows where
 * these trained no tree; null where there are none.
 */
export async function heldOutRowsBeside(networkFile: string, model: DensityModel): Promise<JudgingRows | null> {
  const store = await storeBeside(networkFile);
  return store === null ? null : judgingRows(store, model);
}
