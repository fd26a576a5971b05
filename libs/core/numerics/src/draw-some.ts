import type { RandomStream } from './random.js';

/** So many of some numbers, none twice, in the order in which they are drawn (Fisher and Yates). O(numbers) memory. */
export function drawSome(numbers: ArrayLike<number>, count: number, stream: RandomStream): Uint32Array {
  const left = Uint32Array.from(numbers);
  for (let at = 0; at < count; at++) {
    const other = at + stream.below(left.length - at);
    const drawn = left[other]!;
    left[other] = left[at]!;
    left[at] = drawn;
  }
  return left.subarray(0, count);
}
