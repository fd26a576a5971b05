import { MAXIMUM_MEMBERS } from '@orchard/contracts/limits';
import { ModelError } from '../errors.js';

/**
 * What the packed arrays of a file may unpack to (FORMAT.md): DEFLATE makes a thousand times as much of nothing but
 * zeros, so that a file of a mail's size would fill the memory of the program that opens it. Files of trained models
 * unpack to less than 11 times their bytes.
 */
const MOST_TIMES = 64;
const ALWAYS_ALLOWED = 2 ** 26;

/** A number in memory: a double, or a whole number before it is known to be short. */
const BYTES_OF_NUMBER = 8;

/** How many bytes may still be unpacked of one file, over all of its arrays and those of its members. */
export class UnpackingRoom {
  private left: number;

  /** @param bytes of the file */
  constructor(private readonly bytes: number) {
    this.left = ALWAYS_ALLOWED + MOST_TIMES * bytes;
  }

  /** @throws ModelError `not-a-network-file` where so many numbers more are too many */
  take(numbers: number, where: string): void {
    const wanted = BYTES_OF_NUMBER * numbers;
    this.left -= wanted;
    if (this.left >= 0) return;
    const most = ALWAYS_ALLOWED + MOST_TIMES * this.bytes;
    throw new ModelError('not-a-network-file', {
      got: `arrays that unpack to ${String(most - this.left)} bytes or more, in a file of ${String(this.bytes)}`,
      expected: `at most ${String(most)}, ${String(MOST_TIMES)} times the file and 64 MiB`,
      where,
      remedy:
        'No training writes such a file: get it again from where it was made, and do not open it if you do not know who made it.',
    });
  }
}

/**
 * Whether arrays may be written packed: so little that even a mixture of the most members, each of which takes as much,
 * can be read again.
 */
export function isReadablePacked(numbers: number, packedBytes: number): boolean {
  return BYTES_OF_NUMBER * numbers <= ALWAYS_ALLOWED / MAXIMUM_MEMBERS + MOST_TIMES * packedBytes;
}
