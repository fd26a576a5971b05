import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DensityModel } from '@orchard/model';
import { judgingRows, type JudgingRows } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';

/**
 * Rows that trained nothing of a model, which its run kept: its test rows, or its validation rows where these trained
 * no tree; null where there are none.
 *
 * @param path of the model's file
 */
export async function heldOutRowsBeside(path: string, model: DensityModel): Promise<JudgingRows | null> {
  const store = join(dirname(path), 'store');
  return existsSync(store) ? judgingRows(await FilesystemStore.open(store), model) : null;
}
