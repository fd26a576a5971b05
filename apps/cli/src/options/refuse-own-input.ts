import { statSync, type Stats } from 'node:fs';
import type { Command } from 'commander';
import { writing } from './configured-command.js';
import { UsageError } from '../output/errors.js';

/** Commands that write over what they read where they are asked to, as their help says. */
const INTO_ITS_INPUT: ReadonlySet<string> = new Set(['compact']);

const NAMES_A_FILE = /<(?:file|NETWORK)>/;

/**
 * Refuses a command that would write over a file that it reads, however the two names are written: which values were
 * missing cannot be seen in a table that was filled in.
 *
 * @throws UsageError
 */
export function refuseOwnInput(command: Command): void {
  if (INTO_ITS_INPUT.has(command.name())) return;
  const read: unknown[] = [...command.processedArgs];
  const written: { readonly flag: string; readonly path: string }[] = [];
  for (const option of command.options) {
    const path: unknown = command.getOptionValue(option.attributeName());
    const flag = option.long ?? '';
    if (writing.some((word) => flag === `--${word}`)) {
      if (typeof path === 'string') written.push({ flag, path });
    } else if (NAMES_A_FILE.test(option.flags)) read.push(path);
  }
  const files = read.flatMap((path) => fileAt(path) ?? []);
  for (const { flag, path } of written) {
    const found = fileAt(path);
    if (found === null || !files.some(({ dev, ino }) => dev === found.dev && ino === found.ino)) continue;
    throw new UsageError({
      got: `${path}, which this command reads`,
      expected: 'another file than those that are read',
      where: flag,
      remedy: 'Name another file; if it is to replace this one, move it there afterwards.',
    });
  }
}

/** The file of that name; null of a folder, a pipe, a device, what is not a name, and what cannot be looked at. */
function fileAt(path: unknown): Stats | null {
  if (typeof path !== 'string' || path === '' || path === '-') return null;
  try {
    const found = statSync(path);
    return found.isFile() ? found : null;
  } catch {
    // who opens it says why it cannot be
    return null;
  }
}
