import { statSync } from 'node:fs';
import { writeFailure } from './disk-error.js';
import { UsageError } from './errors.js';
import { writeWhole, type Content } from './whole-file.js';

/**
 * Writes a command's output file, whole or not at all.
 *
 * @param option that named the file
 * @throws UsageError where the name is none for a file; Refusal `disk` where the disk does not take it
 */
export async function writeOutput(path: string, option: string, content: Content): Promise<void> {
  if (path === '-' || path === '') {
    const remedy = 'Name a file; /dev/stdout is standard output.';
    throw new UsageError({ got: JSON.stringify(path), expected: 'a file to write to', where: option, remedy });
  }
  try {
    await writeWhole(path, content);
  } catch (cause) {
    if (!(cause instanceof Error) || !('syscall' in cause)) throw cause;
    throw writeFailure(path, option, cause);
  }
}

/** @throws UsageError for what no folder can be; whether the disk takes it is found where it is written to */
export function refuseNoFolder(out: string): void {
  const isFile = out !== '' && statSync(out, { throwIfNoEntry: false })?.isDirectory() === false;
  if (out !== '' && !isFile) return;
  throw new UsageError({
    got: isFile ? `${out}, which is a file` : 'an empty name',
    expected: 'a folder to write to',
    where: '--out',
    remedy: 'Name a folder; . is this one.',
  });
}
