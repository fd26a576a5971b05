import { checkDocument } from './output/document-schemas.suite.js';
import { run } from './run.js';

export { temporaryFolder } from '@orchard/storage/testing';

/** The words of a command line as it is typed; what stands in `${}` is one word, or a list of words. */
export const argv = (texts: TemplateStringsArray, ...values: (string | number | readonly string[])[]): string[] =>
  texts.flatMap((text, at) => [
    ...(text.match(/\S+/g) ?? []),
    ...values
      .slice(at, at + 1)
      .flat()
      .map(String),
  ]);

/** How one command line ended. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of `--json`. */
  readonly document: Record<string, unknown>;
}

/** Runs a command line in this process; what it prints with `--json` is compared with its schema. */
export async function orchard(...args: readonly string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const streams = {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
  };
  // whatever whoever runs the tests wants of colours
  const code = await run(args, streams, {});
  if (args.includes('--json') && written.stdout.startsWith('{'))
    checkDocument(args[0]!, JSON.parse(written.stdout) as object);
  return {
    code,
    ...written,
    get document() {
      return JSON.parse(written.stdout) as Record<string, unknown>;
    },
  };
}

/** A file of rows of five columns of 0 and 1; the last is the exclusive or of the first two. */
export function exclusiveOrRows(count: number, salt: number): string {
  const lines = ['a,b,c,d,e'];
  for (let row = 0; row < count; row++) {
    const bit = (dim: number): number => ((row * 7919 + salt * 104729 + dim * 31) % (11 + dim)) % 2;
    lines.push([bit(0), bit(1), bit(2), row % 2, bit(0) ^ bit(1)].join(','));
  }
  return `${lines.join('\n')}\n`;
}

/** The cells of each row of a CSV that quotes nothing, without its header. */
export function rowsIn(text: string): string[][] {
  const [, ...rows] = text.trim().split('\n');
  return rows.map((row) => row.split(','));
}
