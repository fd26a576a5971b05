import type { CountedRows } from '@orchard/dataset';
import type { RandomStream } from '@orchard/numerics';

/** How many bits of a word are 1 (Warren, Hacker's Delight, 5-1). */
function onesOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/**
 * Rows that lie apart (k-means++, Arthur and Vassilvitskii 2007, by the columns in which rows differ): the first is
 * any, each other drawn in proportion to how far it is from the nearest before it. Twice as far or as often is twice as
 * probable.
 *
 * @returns places among the distinct rows, all different: `count` of them, or all
 */
export function spreadRows({ distinct, counts }: CountedRows, count: number, stream: RandomStream): Uint32Array {
  const { rows, bytes } = distinct;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const width = distinct.stride / 4;
  const chosen = new Uint32Array(Math.min(count, rows));
  const nearest = new Float64Array(rows).fill(1);
  for (let k = 0; k < chosen.length; k++) {
    let total = 0;
    for (let row = 0; row < rows; row++) total += counts[row]! * nearest[row]!;
    let rest = stream.uniform() * total;
    let row = 0;
    for (let last = 0; last < rows; last++) {
      const weight = counts[last]! * nearest[last]!;
      if (weight === 0) continue;
      // rounding may leave something over after the last
      row = last;
      if (rest < weight) break;
      rest -= weight;
    }
    chosen[k] = row;
    for (let other = 0; other < rows; other++) {
      if (k > 0 && nearest[other] === 0) continue;
      let differing = 0;
      for (let word = 0; word < width; word++)
        differing += onesOf(words[row * width + word]! ^ words[other * width + word]!);
      if (k === 0 || differing < nearest[other]!) nearest[other] = differing;
    }
  }
  return chosen;
}
