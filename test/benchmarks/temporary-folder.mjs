import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that goes when this program ends. @param {string} name what it is for */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `orchard-${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
