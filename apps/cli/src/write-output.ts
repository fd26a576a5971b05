import { writeFile } from 'node:fs/promises';
import { UsageError, messageOf } from './errors.js';

/** Writes what a command was told to write. @throws UsageError where that cannot be */
export async function writeOutput(path: string, option: string, content: Uint8Array | string): Promise<void> {
  try {
    await writeFile(path, content);
  } catch (cause) {
    throw new UsageError(
      {
        got: `${path} (${messageOf(cause)})`,
        expected: 'a file that can be written',
        where: option,
        remedy: 'Name another file, in a folder that is there.',
      },
      { cause },
    );
  }
}
