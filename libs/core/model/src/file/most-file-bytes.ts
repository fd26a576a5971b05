import { ModelError } from '../errors.js';

/** A model file is written and read in one piece, and no array of Node 20 or of a browser is longer: 4 GiB. */
export const MOST_FILE_BYTES = 2 ** 32;

/**
 * @param bytes of a file that is to be written
 * @param where what would be as large
 * @param remedy what makes it smaller
 * @throws ModelError `invalid-network` where there are more than {@link MOST_FILE_BYTES}
 */
export function checkFileBytes(bytes: number, where: string, remedy: string): void {
  if (bytes <= MOST_FILE_BYTES) return;
  throw new ModelError('invalid-network', {
    got: `${bytes} bytes`,
    expected: `at most ${MOST_FILE_BYTES} (4 GiB), the largest file that can be read again`,
    where,
    remedy,
  });
}
