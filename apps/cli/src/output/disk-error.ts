import { dirname } from 'node:path';
import { Refusal } from '@orchard/refusal';
import { UsageError } from './errors.js';

/** What the system's codes mean, and what helps; FOLDER is where the file was to be. */
const meanings: Readonly<Record<string, readonly [got: string, remedy: string]>> = {
  ENOSPC: ['a full disk', 'Free some space, or write to another disk.'],
  EDQUOT: ['a quota that is used up', 'Free some space, or write to another disk.'],
  EFBIG: ['more bytes than a file may have here', 'Raise the limit (ulimit -f), or write to another disk.'],
  EACCES: ['no right to write', 'Give this user the right to write in FOLDER, or name another place.'],
  EPERM: ['no right to write', 'Give this user the right to write in FOLDER, or name another place.'],
  EROFS: ['a disk that can only be read', 'Name a place on another disk.'],
  EEXIST: ['something that is not a folder, such as a broken link,', 'Name another place, or mend the link.'],
  ENOTDIR: ['a file where a folder must be', 'Name a place in a folder: a part of FOLDER is a file.'],
  ENAMETOOLONG: ['a name that is too long', 'Name it shorter.'],
  EPIPE: ['a reader that has gone', 'Have it read to the end, or write to a file.'],
  EIO: ['a disk that fails', 'Check the disk, or write to another.'],
};

/** The system's own code, of an error or of what caused it. */
export function systemCodeOf(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (code !== undefined && /^E[A-Z0-9]+$/.test(code)) return code;
  }
  return null;
}

/**
 * Why `path` could not be written, in one line. A folder that is not there, or a folder in the file's place, is the
 * command line's fault (exit code 2), all else the disk's (1): a place that was named rightly and cannot be written to
 * all the same.
 *
 * @param option that named it
 */
export function writeFailure(path: string, option: string, cause: unknown): Refusal<'disk' | 'usage'> {
  const code = systemCodeOf(cause);
  if (code === 'ENOENT' || code === 'EISDIR') {
    const got = code === 'ENOENT' ? `${path}, whose folder is not there` : `${path}, which is a folder`;
    const remedy = 'Name another file, in a folder that is there.';
    return new UsageError({ got, expected: 'a file that can be written', where: option, remedy }, { cause });
  }
  const [got, remedy] = meanings[code ?? ''] ?? ['an unknown failure', 'Check the disk, or name another place.'];
  const parts = {
    got: `${got} (${code ?? String(cause)})`,
    expected: `to write ${path}`,
    where: option,
    remedy: remedy.replace('FOLDER', dirname(path)),
  };
  return new Refusal('disk', parts, { cause });
}
