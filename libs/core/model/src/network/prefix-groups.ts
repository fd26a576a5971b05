import type { BitMatrix } from '@orchard/dataset';

/**
 * Which rows differ in the first d positions of the ordering. Rows with equal prefixes have equal odds, so one of each
 * group is evaluated: in data with structure that leaves few rows at early positions.
 *
 * Rows are sorted by their bits in the ordering. A row begins a group of prefix length d where it differs from the row
 * before it within the first d bits; so it is enough to order rows by the length that they share with the row before:
 * those to evaluate for prefix length d are the first `distinct[d]`, for every d.
 */
export interface PrefixGroups {
  /** Rows of the block, those that need evaluation earliest first. */
  readonly order: Uint32Array;
  /** Of each prefix length 0..D - 1: how many rows of `order` to evaluate. */
  readonly distinct: Uint32Array;
  /**
   * Writes, for each row of the block, the index in `order` of the row that stands for it at prefix length d. O(rows).
   */
  representatives(prefix: number, out: Uint32Array): void;
}

/**
 * Groups `rows` rows from `firstRow` on. `permuted` has its columns in the order of the ordering.
 * O(rows log rows) comparisons of rows.
 */
export function groupPrefixes(permuted: BitMatrix, firstRow: number, rows: number): PrefixGroups {
  const { dimensions, stride, bytes } = permuted;
  const words = stride / 4;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const keys = new Uint32Array(rows * words);
  for (let at = 0; at < keys.length; at++) keys[at] = view.getUint32(firstRow * stride + 4 * at);
  const sorted = Uint32Array.from({ length: rows }, (_, row) => row).sort((a, b) => {
    for (let word = 0; word < words; word++) {
      const difference = keys[a * words + word]! - keys[b * words + word]!;
      if (difference !== 0) return difference;
    }
    return a - b;
  });

  // shared[i]: bits that sorted row i shares with the one before it; startsAt[d]: rows that begin a group from length d
  // on
  const shared = new Int32Array(rows);
  const startsAt = new Uint32Array(dimensions + 2);
  for (let i = 0; i < rows; i++) {
    shared[i] = i === 0 ? -1 : sharedBits(keys, sorted[i - 1]! * words, sorted[i]! * words, words, dimensions);
    startsAt[shared[i]! + 1]!++;
  }
  const distinct = new Uint32Array(dimensions);
  const next = new Uint32Array(dimensions + 2);
  let rowsSoFar = 0;
  for (let prefix = 0; prefix <= dimensions + 1; prefix++) {
    next[prefix] = rowsSoFar;
    rowsSoFar += startsAt[prefix]!;
    if (prefix < dimensions) distinct[prefix] = rowsSoFar;
  }
  const order = new Uint32Array(rows);
  const rank = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) {
    const place = next[shared[i]! + 1]!++;
    rank[i] = place;
    order[place] = sorted[i]!;
  }
  return {
    order,
    distinct,
    representatives(prefix, out) {
      let current = 0;
      for (let i = 0; i < rows; i++) {
        if (rank[i]! < distinct[prefix]!) current = rank[i]!;
        out[sorted[i]!] = current;
      }
    },
  };
}

function sharedBits(keys: Uint32Array, a: number, b: number, words: number, dimensions: number): number {
  for (let word = 0; word < words; word++) {
    const difference = keys[a + word]! ^ keys[b + word]!;
    if (difference !== 0) return 32 * word + Math.clz32(difference);
  }
  return dimensions;
}
