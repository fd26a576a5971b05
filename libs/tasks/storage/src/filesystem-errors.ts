import { StorageError, type StorageErrorCode } from './errors.js';

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

const table: Readonly<Record<string, readonly [StorageErrorCode, string]>> = {
  ENOSPC: ['full', 'Free some space, then start again: nothing that was stored is lost.'],
  EDQUOT: ['full', 'Free some space or raise the quota, then start again: nothing that was stored is lost.'],
  EFBIG: ['full', 'Raise the limit on the size of a file.'],
  EACCES: ['denied', 'Give this user the right to read and write the folder.'],
  EPERM: ['denied', 'Use a folder that this user may write to, on a file system with hard links.'],
  EROFS: ['denied', 'Use a folder that can be written to.'],
  ENOTSUP: ['unsupported', 'Use a file system with hard links.'],
  EOPNOTSUPP: ['unsupported', 'Use a file system with hard links.'],
  EEXIST: ['conflict', 'A folder has this name: no object may be named as a folder of others.'],
  EISDIR: ['conflict', 'A folder has this name: no object may be named as a folder of others.'],
  ENOTDIR: ['conflict', 'An object has the name of this folder: no object may be named as a folder of others.'],
  ELOOP: ['invalid-name', 'Remove the symbolic link.'],
  ENAMETOOLONG: ['invalid-name', 'Use a root folder with a shorter path.'],
};

/** What the file system said, as a {@link StorageError}; one that is already is passed on. */
export function failure(where: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const name = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown failure';
  const [code, remedy] = table[name] ?? ['unavailable', 'Check the disk, then try again.'];
  return new StorageError(
    code,
    { got: `${name} from the file system`, expected: 'success', where, remedy },
    { cause: error },
  );
}
