import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.js';

/** How one command line ended. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of `--json`. */
  readonly document: Record<string, unknown>;
}

/** Runs a command line in this process. */
export async function orchard(...args: readonly string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const streams = {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
  };
  // whatever whoever runs the tests wants of colours
  const code = await run(args, streams, {});
  return {
    code,
    ...written,
    get document() {
      return JSON.parse(written.stdout) as Record<string, unknown>;
    },
  };
}

/** A folder of its own, removed by the function returned with it. */
export function temporaryFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'orchard-cli-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
