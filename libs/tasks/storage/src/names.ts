import { StorageError } from './errors.js';
import { largestPage, type ByteRange, type ListOptions } from './object-store.js';

/** One folder or file: what every file system and every S3 server takes as it stands, never beginning with a dot. */
const segment = /^[A-Za-z0-9_=-][A-Za-z0-9._=-]{0,199}$/;
/** S3 allows 1,024 bytes; some are left to a prefix within a bucket. */
const longestName = 800;

/**
 * Refuses a name that could mean different objects in different stores, or leave the store: empty or over 800
 * characters, a folder that is empty or begins with a dot (so `.` and `..`), and any character but letters, digits and
 * `. _ = -`.
 *
 * @throws StorageError `invalid-name`
 */
export function checkName(name: string): void {
  if (isName(name)) return;
  throw invalidName(name, 'folders and a name of letters, digits and . _ = - joined by /, none beginning with a dot');
}

export function isName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= longestName && name.split('/').every((part) => segment.test(part));
}

/**
 * A prefix is the beginning of a possible name, or empty for everything.
 *
 * @throws StorageError `invalid-name`
 */
function checkPrefix(prefix: string): void {
  if (prefix === '') return;
  if (typeof prefix !== 'string') throw invalidName(prefix, 'a string');
  // whatever stands after the last slash may be the beginning of a segment, so "x" completes it
  checkName(prefix.endsWith('/') ? `${prefix}x` : prefix);
}

/** @throws StorageError `invalid-name` or `invalid-range` */
export function checkList(prefix: string, { after, limit = largestPage }: ListOptions = {}): void {
  checkPrefix(prefix);
  if (after !== undefined && after !== '') checkName(after);
  if (Number.isInteger(limit) && limit >= 1 && limit <= largestPage) return;
  throw new StorageError('invalid-range', {
    got: `a limit of ${limit} entries`,
    expected: `a whole number from 1 to ${largestPage}`,
    where: prefix,
    remedy: 'Ask for page after page.',
  });
}

/** @throws StorageError `invalid-range` */
export function checkRange(name: string, { start, end }: ByteRange): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end > start) return;
  throw new StorageError('invalid-range', {
    got: `bytes ${start} to ${end}`,
    expected: 'whole numbers with 0 <= start < end, the end exclusive',
    where: name,
    remedy: 'Correct the range; no range reads the whole object.',
  });
}

function invalidName(name: unknown, expected: string): StorageError {
  const shown = JSON.stringify(String(name).slice(0, 100));
  return new StorageError('invalid-name', {
    got: `the object name ${shown}`,
    expected,
    remedy: 'Choose another name.',
  });
}
