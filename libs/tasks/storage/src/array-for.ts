import { StorageError } from './errors.js';

/** No array of Node 20 is longer: 4 GiB. */
const mostBytes = 2 ** 32;

/**
 * Memory for so many bytes.
 *
 * @param where what they are of
 * @throws StorageError `unsupported` where no array holds them
 */
export function arrayFor(where: string, bytes: number): Uint8Array<ArrayBuffer> {
  if (bytes <= mostBytes) return new Uint8Array(bytes);
  throw new StorageError('unsupported', {
    got: `${bytes} bytes`,
    expected: `at most ${mostBytes} (4 GiB) to be read in one piece`,
    where,
    remedy: 'Make it smaller: of a mixture of members, ask for fewer (--members).',
  });
}
