import { packFloats, packIntegers, widthOf } from './little-endian.js';
import { packedFloats, packedIntegers } from './packed-numbers.js';

/** An array of a model file, in the pieces that its maker holds: most of a file, and so never joined in memory. */
export class NumberArray {
  private constructor(
    readonly byteLength: number,
    /** Bytes as they lie in the file, one after another. */
    readonly pieces: () => Iterable<Uint8Array>,
    /** Whether it is as files of version 5 have it. */
    readonly isPacked = false,
  ) {}

  /** Unsigned integers of 1, 2 or 4 bytes each, the fewest that hold the largest. */
  static ofIntegers(arrays: readonly Uint32Array[]): NumberArray {
    const width = widthOf(arrays);
    return new NumberArray(width * lengthOf(arrays), function* () {
      for (const array of arrays) yield packIntegers(array, width);
    });
  }

  /** Doubles of 8 bytes each. */
  static ofFloats(arrays: readonly Float64Array[]): NumberArray {
    return new NumberArray(8 * lengthOf(arrays), function* () {
      for (const array of arrays) yield packFloats(array);
    });
  }

  /** As {@link ofIntegers}, packed: held as it is written. */
  static ofPackedIntegers(arrays: readonly Uint32Array[]): NumberArray {
    return NumberArray.#ofPacked(packedIntegers(arrays));
  }

  /** As {@link ofFloats}, packed: held as it is written. */
  static ofPackedFloats(arrays: readonly Float64Array[]): NumberArray {
    return NumberArray.#ofPacked(packedFloats(arrays));
  }

  static #ofPacked(bytes: Uint8Array): NumberArray {
    return new NumberArray(bytes.length, () => [bytes], true);
  }

  static ofBytes(bytes: Uint8Array): NumberArray {
    return new NumberArray(bytes.length, () => [bytes]);
  }

  /**
   * Bytes that are made when they are written: they are not held beside the file.
   * @param byteLength how many `make` makes
   */
  static ofBytesMade(byteLength: number, make: () => Uint8Array): NumberArray {
    return new NumberArray(byteLength, function* () {
      yield make();
    });
  }
}

function lengthOf(arrays: readonly { readonly length: number }[]): number {
  return arrays.reduce((sum, { length }) => sum + length, 0);
}
