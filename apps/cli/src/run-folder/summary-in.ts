import { join } from 'node:path';
import { modelSummarySchema, type ModelSummary } from '@orchard/contracts';
import { jsonIn } from '../output/json-file.js';

/** What `summary.json` in a folder says; null where there is none that can be read. */
export function summaryIn(folder: string): Promise<ModelSummary | null> {
  return jsonIn(join(folder, 'summary.json'), modelSummarySchema);
}
