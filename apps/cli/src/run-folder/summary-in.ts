import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelSummarySchema, type ModelSummary } from '@orchard/contracts';

/** What `summary.json` in a folder says; null where there is none that can be read. */
export async function summaryIn(folder: string): Promise<ModelSummary | null> {
  try {
    return modelSummarySchema.parse(JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8')));
  } catch {
    return null;
  }
}
