import { basename } from 'node:path';
import { DatasetError } from '../errors.js';
import type { RowFile } from '../reading/row-file.js';

/** Files whose rows follow one another. Its bytes are those of no file: what reads it takes its parts. */
export interface FileOfParts extends RowFile {
  readonly parts: readonly RowFile[];
}

/**
 * Opens parts in the order that they have.
 *
 * @param open how one is opened
 */
export async function openParts<Part>(
  name: string,
  sources: readonly Part[],
  open: (source: Part) => Promise<RowFile>,
): Promise<RowFile> {
  const parts: RowFile[] = [];
  const close = async (): Promise<void> => {
    for (const part of parts) await part.close();
  };
  try {
    for (const source of sources) parts.push(await open(source));
  } catch (error) {
    await close();
    throw error;
  }
  return parts.length === 1 ? parts[0]! : fileOfParts(name, parts, close);
}

function fileOfParts(name: string, parts: readonly RowFile[], close: () => Promise<void>): FileOfParts {
  const refuse = (): never => {
    throw new DatasetError('source', {
      got: `${parts.length} files`,
      expected: 'one file',
      where: name,
      remedy: 'Give one of them, or put them together first.',
    });
  };
  return {
    name,
    parts,
    async *bytes() {
      await Promise.resolve();
      refuse();
    },
    head: () => Promise.reject(asError(refuse)),
    path: () => Promise.reject(asError(refuse)),
    keep: (bytes) => parts[0]!.keep(bytes),
    close,
  };
}

function asError(refuse: () => never): unknown {
  try {
    return refuse();
  } catch (error) {
    return error;
  }
}

/** What is said of parts: how many there are, and their order. */
export function noteOfParts({ parts }: FileOfParts): string {
  const [first, last] = [parts[0]!, parts.at(-1)!].map(({ name }) => basename(name));
  return `${parts.length} files, one after another in the order of their names: ${first} to ${last}.`;
}

export function isOfParts(file: object): file is FileOfParts {
  return 'parts' in file;
}
